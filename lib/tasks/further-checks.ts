// Checks that need more than a schema: heavy libraries. Servers always hand them to `checkSettings`, screens when
// `needsFurtherChecks` says so.
import type { FurtherChecks } from './check-settings.ts';
import { checkPatterns } from './if-condition/patterns.ts';

export const FURTHER_CHECKS: FurtherChecks = new Map([['if_condition', checkPatterns]]);
