// Checks that need more than a schema: libraries that screens do without. Servers hand them to `checkSettings`.
import type { FurtherChecks } from './check-settings.ts';
import { checkPatterns } from './if-condition/patterns.ts';
import type { IfConditionSettings } from './if-condition/definition.ts';

export const FURTHER_CHECKS: FurtherChecks = new Map([
  ['if_condition', (settings) => checkPatterns(settings as IfConditionSettings)],
]);
