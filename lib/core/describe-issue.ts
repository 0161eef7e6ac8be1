import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Bound = Extract<Issue, { code: 'too_small' | 'too_big' }>;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * Describes a schema's issue with a value, in the product's words.
 * @param issue of a parse, or one that zod needs a message for
 */
export function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'This field is required.' : `This must be ${typeName(issue.expected)}.`;
    case 'invalid_value':
      return value === undefined ? 'This field is required.' : describeChoice(issue.values);
    case 'invalid_union':
      return describeUnion(issue, value);
    case 'too_small':
    case 'too_big':
      return isByZod(issue) ? describeBound(issue) : issue.message;
    default:
      return issue.message;
  }
}

const describeChoice = (values: readonly unknown[]): string =>
  `This must be one of ${values.map((each) => JSON.stringify(each)).join(', ')}.`;

/** Whether the message is zod's own, not the schema's. */
const isByZod = ({ message }: Partial<Issue>): boolean =>
  message === undefined || /^Too (?:small|big): expected /.test(message);

function describeBound(issue: Bound): string {
  const { code, origin, inclusive = true, exact = false } = issue;
  const bound = Number(code === 'too_small' ? issue.minimum : issue.maximum);
  const least = code === 'too_small';
  const limit = exact ? 'exactly' : least ? 'at least' : 'at most';
  const count = bound.toLocaleString('en');
  if (origin === 'string') return `Enter ${limit} ${count} ${bound === 1 ? 'character' : 'characters'}.`;
  if (origin === 'array' || origin === 'set')
    return `This must have ${limit} ${count} ${bound === 1 ? 'entry' : 'entries'}.`;
  return inclusive ? `Enter ${limit} ${count}.` : `Enter ${least ? 'more' : 'less'} than ${count}.`;
}

/** Uses the issue of the alternative whose type fits; when none fits, lists all types. */
function describeUnion(issue: Extract<Issue, { code: 'invalid_union' }>, value: unknown): string {
  if (value === undefined) return 'This field is required.';
  const { errors: alternatives } = issue;
  if ('options' in issue && issue.options) return describeChoice(issue.options);
  const isWrongType = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
  const fitting = alternatives.find((issues) => !issues.some(isWrongType))?.[0];
  if (fitting) return describeIssue(fitting, value);
  const names = alternatives.flatMap((issues) => {
    const [issue] = issues;
    return issue?.code === 'invalid_type' ? [typeName(issue.expected)] : [];
  });
  return `This must be ${[...new Set(names)].join(' or ')}.`;
}

const typeName = (type: string): string => TYPE_NAMES[type] ?? type;
