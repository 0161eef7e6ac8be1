import * as z from 'zod';
import {
  lacksRight,
  LEFT,
  ofCalendarSetting,
  operatorSetting,
  patternCheck,
  RIGHT_IS_MISSING,
  rightSetting,
  wantedValues,
} from '#lib/tasks/conditions/settings.ts';
import { isMissing, jsonSetting, settingRows } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import type { TaskExample } from '#lib/tasks/task-example.ts';
import { switchKind } from './kind.ts';

const MAX_CASES = 20;

const switchCase = z
  .strictObject({
    operator: operatorSetting(),
    right: rightSetting(true),
    calendar: ofCalendarSetting(' It is compared with the value, a date and time.'),
    label: z
      .string()
      .max(60, 'At most 60 characters.')
      .default('')
      .meta({ title: 'Name of the branch', description: 'Empty: what it compares with.' }),
  })
  .refine((comparison) => !lacksRight(comparison), RIGHT_IS_MISSING);

const settings = z.strictObject({
  value: jsonSetting()
    .refine((value) => !isMissing(value), 'Enter a value.')
    .meta(LEFT),
  cases: z
    .array(switchCase)
    .min(1, 'Add a case.')
    .max(MAX_CASES, `At most ${MAX_CASES} cases.`)
    .meta({ title: 'Cases', description: 'The first one that fits is taken.', widget: 'list' }),
});

/** Takes the branch of the first case that holds for a value (docs/engine.md). */
export const switchTask = {
  ...switchKind,
  asksVariables: true,
  wantedValues: ({ value, cases }) =>
    wantedValues(settingRows(cases).map((row) => ({ operator: 'equals', ...row, left: value }))),
  furtherCheck: patternCheck('cases'),
  settings,
  outputs: z.object({
    case: z.string().meta({ title: 'Case', description: 'The name of the branch that was taken.' }),
    number: z
      .number()
      .meta({ title: 'Number', description: 'The place of the case, from 1; 0 for otherwise.' }),
  }),
} satisfies TaskDefinition;

export const switchExample: TaskExample = {
  says: 'Takes the branch `case_2` for orders that were sent.',
  event: { order: { number: 'A-1001', status: 'sent' } },
  settings: {
    value: '{{task_1_order_status}}',
    cases: [
      { operator: 'equals', right: 'paid' },
      { operator: 'in_list', right: 'sent, delivered', label: 'On its way' },
    ],
  },
  output: { case: 'On its way', number: 2 },
};
