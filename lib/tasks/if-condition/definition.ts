import * as z from 'zod';
import { isMissing, jsonSetting } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { ifConditionKind } from './kind.ts';
import { OPERATOR_LABELS, type Operator, WITHOUT_RIGHT } from './operators.ts';
import { wantedValues } from './wanted-values.ts';

const OPERATORS = Object.keys(OPERATOR_LABELS) as [Operator, ...Operator[]];
const WITH_RIGHT = OPERATORS.filter((operator) => !WITHOUT_RIGHT.includes(operator));
/** To compare with nothing is a question of its own for these. */
const RIGHT_MAY_BE_EMPTY: readonly Operator[] = [...WITHOUT_RIGHT, 'equals', 'not_equals'];

const condition = z
  .strictObject({
    left: jsonSetting().meta({
      title: 'Value',
      description: 'The value to check, usually a variable.',
      variables: true,
      placeholder: '{{task_1_status}}',
    }),
    operator: z.enum(OPERATORS).default('equals').meta({ title: 'Comparison', labels: OPERATOR_LABELS }),
    right: jsonSetting()
      .default('')
      .meta({
        title: 'Compare with',
        description:
          'A text, a number, a date or a variable. A list: separated by commas, as JSON, or a variable.',
        variables: true,
        secrets: { namedBy: 'left' },
        visibleWhen: { field: 'operator', is: WITH_RIGHT },
      }),
  })
  .refine(({ left }) => !isMissing(left), { path: ['left'], message: 'Enter a value.' })
  .refine(({ operator, right }) => RIGHT_MAY_BE_EMPTY.includes(operator) || !isMissing(right), {
    path: ['right'],
    message: 'Enter a value to compare with.',
  });

const settings = z.strictObject({
  match: z
    .enum(['all', 'any'])
    .default('all')
    .meta({ title: 'True when', labels: { all: 'all conditions are met', any: 'any condition is met' } }),
  conditions: z
    .array(condition)
    .min(1, 'Add a condition.')
    .max(100, 'At most 100 conditions.')
    .meta({ title: 'Conditions', widget: 'list' }),
});

export type IfConditionSettings = z.output<typeof settings>;
export type Condition = IfConditionSettings['conditions'][number];

const hasPattern = (conditions: unknown): boolean =>
  Array.isArray(conditions) &&
  conditions.some((condition: { operator?: unknown } | null) => condition?.operator === 'matches');

/** Takes one of two branches (docs/engine.md). */
export const ifCondition = {
  ...ifConditionKind,
  asksVariables: true,
  wantedValues: ({ conditions }) => wantedValues(conditions),
  furtherCheck: {
    isNeeded: ({ conditions }) => hasPattern(conditions),
    load: async () => (await import('./patterns.ts')).checkPatterns,
  },
  settings,
  outputs: z.object({
    result: z.boolean().meta({ title: 'Result', description: 'Whether the conditions were met.' }),
  }),
} satisfies TaskDefinition;
