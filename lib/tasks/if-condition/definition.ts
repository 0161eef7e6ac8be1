import * as z from 'zod';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { isMissing, jsonSetting } from '#lib/tasks/setting-values.ts';
import type { TaskDefinition } from '#lib/tasks/task-definition.ts';
import { ifConditionKind } from './kind.ts';
import { type Operator, OPERATOR_LABELS, WITHOUT_RIGHT } from './operators.ts';

/** The operand of a condition as a value that fulfills it; undefined: none can be derived. */
const FULFILLING: Readonly<Record<string, (right: string) => JsonValue | undefined>> = {
  equals: plainValue,
  contains: plainValue,
  starts_with: plainValue,
  ends_with: plainValue,
  at_least: plainValue,
  at_most: plainValue,
  greater_than: (right) => shifted(right, 1),
  less_than: (right) => shifted(right, -1),
  in_list: firstOfList,
  is_true: () => true,
};

const ONE_VARIABLE = /^\s*\{\{\s*([^{}\s#/]+)\s*\}\}\s*$/;
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

/**
 * Values of variables that fulfill conditions with a fixed value: the first condition on each variable counts. Keys are
 * variables as written, such as `task_1_customer_status`.
 */
function wantedValues(conditions: unknown): Map<string, JsonValue> {
  const wanted = new Map<string, JsonValue>();
  for (const condition of Array.isArray(conditions) ? (conditions as JsonValue[]) : []) {
    const { left, operator, right } = isJsonObject(condition) ? condition : {};
    const [, variable] = ONE_VARIABLE.exec(typeof left === 'string' ? left : '') ?? [];
    if (variable === undefined || wanted.has(variable)) continue;
    const value = valueFor(operator, right);
    if (value !== undefined) wanted.set(variable, value);
  }
  return wanted;
}

function valueFor(operator: unknown, right: unknown): JsonValue | undefined {
  const text = typeof right === 'string' || typeof right === 'number' ? String(right) : '';
  if (text.includes('{{')) return undefined;
  return typeof operator === 'string' && Object.hasOwn(FULFILLING, operator)
    ? FULFILLING[operator]?.(text.trim())
    : undefined;
}

function plainValue(right: string): JsonValue | undefined {
  if (NUMBER.test(right)) return Number(right);
  return right === '' ? undefined : right;
}

const shifted = (right: string, by: number): JsonValue | undefined =>
  NUMBER.test(right) ? Number(right) + by : undefined;

function firstOfList(right: string): JsonValue | undefined {
  if (!right.startsWith('[')) return plainValue((right.split(',')[0] ?? '').trim());
  try {
    const [first] = JSON.parse(right) as JsonValue[];
    return isJsonObject(first) || Array.isArray(first) ? undefined : (first ?? undefined);
  } catch {
    return undefined;
  }
}

const OPERATORS = Object.keys(OPERATOR_LABELS) as [Operator, ...Operator[]];
const WITH_RIGHT = OPERATORS.filter((operator) => !WITHOUT_RIGHT.includes(operator));
/** Comparing with nothing has its own operators for these. */
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
