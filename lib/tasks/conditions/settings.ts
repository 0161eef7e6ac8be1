// The settings of a comparison, shared by the tasks that branch on one, with their checks and the values that fulfill them.
import * as z from 'zod';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { calendarSetting, isMissing, jsonSetting, settingRows } from '#lib/tasks/setting-values.ts';
import type { FieldMeta, TaskDefinition } from '#lib/tasks/task-definition.ts';
import { isOfHours, OF_HOURS, type Operator, OPERATOR_LABELS, WITHOUT_RIGHT } from './operators.ts';

const OPERATORS = Object.keys(OPERATOR_LABELS) as [Operator, ...Operator[]];
const WITH_RIGHT = OPERATORS.filter((operator) => !WITHOUT_RIGHT.includes(operator));
/** Comparing with nothing has its own operators for these. */
const RIGHT_MAY_BE_EMPTY: readonly Operator[] = [...WITHOUT_RIGHT, 'equals', 'not_equals'];

const comparison = { title: 'Comparison', labels: OPERATOR_LABELS };
const WITHOUT_HOURS = OPERATORS.filter((operator) => !isOfHours({ operator }));

/** The comparison, for tasks that know opening hours. */
export const operatorSetting = () => z.enum(OPERATORS).default('equals').meta(comparison);

/** The value that is compared. */
export const LEFT = {
  title: 'Value',
  description: 'The value to check, usually a variable.',
  variables: true,
  placeholder: '{{task_1_status}}',
};

/** What is compared with; hidden for operators without it. @param secrets as in `FieldMeta`; left out: none are allowed */
export const rightSetting = (secrets?: NonNullable<FieldMeta['secrets']>) =>
  jsonSetting()
    .default('')
    .meta({
      title: 'Compare with',
      description:
        'A text, a number, a date or a variable. A list: separated by commas, as JSON, or a variable.',
      variables: true,
      ...(secrets === undefined ? {} : { secrets }),
      visibleWhen: { field: 'operator', is: WITH_RIGHT },
    });

/** Whose opening hours; hidden for other operators. @param more to say below it */
export const ofCalendarSetting = (more = '') =>
  calendarSetting()
    .optional()
    .meta({
      title: 'Calendar',
      description: `Its name in Settings → Time. Left empty: the only one.${more}`,
      visibleWhen: { field: 'operator', is: [...OF_HOURS] },
    });

/** One side of a comparison and how it is compared: `left operator right`. */
export interface Condition {
  left: unknown;
  operator: Operator;
  right: unknown;
  calendar?: string | undefined;
}

/** Whether `left` is missing although the operator needs it: opening hours are compared with now then. */
export const lacksLeft = ({ operator, left }: { operator: Operator; left: unknown }): boolean =>
  !isOfHours({ operator }) && isMissing(left);

/** The refusal of a comparison that lacks it. */
export const LEFT_IS_MISSING = { path: ['left'], message: 'Enter a value.' };

/** Whether `right` is missing although the operator needs it. */
export const lacksRight = ({ operator, right }: { operator: Operator; right: unknown }): boolean =>
  !RIGHT_MAY_BE_EMPTY.includes(operator) && isMissing(right);

/** The refusal of a comparison that lacks it. */
export const RIGHT_IS_MISSING = { path: ['right'], message: 'Enter a value to compare with.' };

export const MAX_CONDITIONS = 100;
export const TOO_MANY_CONDITIONS = `At most ${MAX_CONDITIONS} conditions.`;

/** Whether all of several comparisons have to be met. */
export const matchSetting = () =>
  z
    .enum(['all', 'any'])
    .default('all')
    .meta({ labels: { all: 'all conditions are met', any: 'any condition is met' } });

/** One of several comparisons of values, for tasks that do not know opening hours. */
export const conditionSetting = () =>
  z
    .strictObject({
      left: jsonSetting().meta(LEFT),
      operator: z.enum(WITHOUT_HOURS).default('equals').meta(comparison),
      right: rightSetting(),
    })
    .refine((comparison) => !lacksLeft(comparison), LEFT_IS_MISSING)
    .refine((comparison) => !lacksRight(comparison), RIGHT_IS_MISSING);

/**
 * The check of patterns among the comparisons of a setting; the library for it is loaded where one has a pattern.
 * @param field the setting with the list of comparisons
 */
export const patternCheck = (field: string): NonNullable<TaskDefinition['furtherCheck']> => ({
  isNeeded: (settings) => settingRows(settings[field]).some(({ operator }) => operator === 'matches'),
  load: async () => {
    const { checkPatterns } = await import('./patterns.ts');
    return (settings) => checkPatterns(field, settings);
  },
});

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
 * @param conditions of a draft's settings, possibly incomplete
 */
export function wantedValues(
  conditions: readonly Readonly<Record<string, unknown>>[],
): Map<string, JsonValue> {
  const wanted = new Map<string, JsonValue>();
  for (const { left, operator, right } of conditions) {
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
