import * as z from 'zod';
import {
  lacksLeft,
  lacksRight,
  LEFT,
  LEFT_IS_MISSING,
  matchSetting,
  MAX_CONDITIONS,
  ofCalendarSetting,
  operatorSetting,
  patternCheck,
  RIGHT_IS_MISSING,
  rightSetting,
  TOO_MANY_CONDITIONS,
  wantedValues,
} from '#lib/tasks/conditions/settings.ts';
import { jsonSetting, settingRows } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { ifConditionKind } from './kind.ts';

const condition = z
  .strictObject({
    left: jsonSetting().meta(LEFT),
    operator: operatorSetting(),
    right: rightSetting({ namedBy: 'left' }),
    calendar: ofCalendarSetting(
      ' It is compared with the value, a date and time; without a value, with now.',
    ),
  })
  .refine((comparison) => !lacksLeft(comparison), LEFT_IS_MISSING)
  .refine((comparison) => !lacksRight(comparison), RIGHT_IS_MISSING);

const settings = z.strictObject({
  match: matchSetting().meta({ title: 'True when' }),
  conditions: z
    .array(condition)
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

export const ifConditionExample: TaskExample = {
  says: 'Takes the branch `true` for orders above 100.',
  event: { order: { number: 'A-1001', total: 184.35 } },
  settings: { conditions: [{ left: '{{task_1_order_total}}', operator: 'greater_than', right: '100' }] },
  output: { result: true },
};
