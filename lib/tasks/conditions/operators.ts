// The operators with their labels; the card of a condition shows them without loading a schema.
import { settingRows, settingWords } from '#lib/tasks/setting-values.ts';

export const OPERATOR_LABELS = {
  equals: 'equals',
  not_equals: 'does not equal',
  contains: 'contains',
  not_contains: 'does not contain',
  starts_with: 'starts with',
  ends_with: 'ends with',
  greater_than: 'is greater than',
  less_than: 'is less than',
  at_least: 'is at least',
  at_most: 'is at most',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  is_true: 'is true',
  is_false: 'is false',
  matches: 'matches the pattern',
  in_list: 'is in the list',
} as const;

export type Operator = keyof typeof OPERATOR_LABELS;

/** Operators without a right operand. */
export const WITHOUT_RIGHT: readonly Operator[] = ['is_empty', 'is_not_empty', 'is_true', 'is_false'];

/** How a draft's value is compared, as words: `is greater than 100`. */
export function describeComparison({ operator, right }: Readonly<Record<string, unknown>>): string {
  const known = (settingWords(operator) || 'equals') as Operator;
  const words = OPERATOR_LABELS[known] ?? known;
  return WITHOUT_RIGHT.includes(known) ? words : `${words} ${settingWords(right) || '(empty)'}`;
}

/** The conditions of a draft as a sentence: `{{total}} is greater than 100 and {{country}} equals DE`. */
export function describeConditions(conditions: unknown, match: unknown): string {
  return settingRows(conditions)
    .filter(({ left }) => settingWords(left) !== '')
    .map((condition) => `${settingWords(condition['left'])} ${describeComparison(condition)}`)
    .join(match === 'any' ? ' or ' : ' and ');
}
