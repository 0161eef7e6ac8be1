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
  is_open: 'is within opening hours',
  is_closed: 'is outside opening hours',
} as const;

export type Operator = keyof typeof OPERATOR_LABELS;

/** Operators without a right operand. */
export const WITHOUT_RIGHT: readonly Operator[] = [
  'is_empty',
  'is_not_empty',
  'is_true',
  'is_false',
  'is_open',
  'is_closed',
];

/** Operators on a date and time, and a calendar of opening hours. */
export const OF_HOURS = ['is_open', 'is_closed'] as const satisfies readonly Operator[];

/** Whether a comparison of a draft asks for opening hours. */
export const isOfHours = ({ operator }: Readonly<Record<string, unknown>>): boolean =>
  OF_HOURS.some((each) => each === operator);

/** How a draft's value is compared, as words: `is greater than 100`. */
export function describeComparison(comparison: Readonly<Record<string, unknown>>): string {
  const { operator, right } = comparison;
  const known = (settingWords(operator) || 'equals') as Operator;
  const words = OPERATOR_LABELS[known] ?? known;
  const calendar = isOfHours(comparison) ? settingWords(comparison['calendar']) : '';
  if (calendar !== '') return `${words} of ${calendar}`;
  return WITHOUT_RIGHT.includes(known) ? words : `${words} ${settingWords(right) || '(empty)'}`;
}

/** The conditions of a draft as a sentence: `{{total}} is greater than 100 and {{country}} equals DE`. */
export function describeConditions(conditions: unknown, match: unknown): string {
  return settingRows(conditions)
    .map((condition) => ({
      condition,
      left: settingWords(condition['left']) || (isOfHours(condition) ? 'now' : ''),
    }))
    .filter(({ left }) => left !== '')
    .map(({ condition, left }) => `${left} ${describeComparison(condition)}`)
    .join(match === 'any' ? ' or ' : ' and ');
}
