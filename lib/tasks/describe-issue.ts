import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

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

/** What a schema says is wrong with a value, in the product's words. */
export function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return value === undefined ? 'This field is required.' : `This must be ${typeName(issue.expected)}.`;
    case 'invalid_value':
      return value === undefined
        ? 'This field is required.'
        : `This must be one of ${issue.values.map((each) => JSON.stringify(each)).join(', ')}.`;
    case 'invalid_union':
      return describeUnion(issue.errors, value);
    default:
      return issue.message;
  }
}

/** The alternative whose type fits says what is wrong; when none fits, all are named. */
function describeUnion(alternatives: readonly (readonly Issue[])[], value: unknown): string {
  if (value === undefined) return 'This field is required.';
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
