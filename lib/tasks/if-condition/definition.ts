import * as z from 'zod';
import {
  conditionSetting,
  matchSetting,
  MAX_CONDITIONS,
  TOO_MANY_CONDITIONS,
  patternCheck,
  wantedValues,
} from '#lib/tasks/conditions/settings.ts';
import { settingRows } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { ifConditionKind } from './kind.ts';

const settings = z.strictObject({
  match: matchSetting().meta({ title: 'True when' }),
  conditions: z
    .array(conditionSetting({ namedBy: 'left' }))
    .min(1, 'Add a condition.')
    .max(MAX_CONDITIONS, TOO_MANY_CONDITIONS)
    .meta({ title: 'Conditions', widget: 'list' }),
});

/** Takes one of two branches (docs/engine.md). */
export const ifCondition = {
  ...ifConditionKind,
  asksVariables: true,
  wantedValues: ({ conditions }) => wantedValues(settingRows(conditions)),
  furtherCheck: patternCheck('conditions'),
  settings,
  outputs: z.object({
    result: z.boolean().meta({ title: 'Result', description: 'Whether the conditions were met.' }),
  }),
} satisfies TaskDefinition;
