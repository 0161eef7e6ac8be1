import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeIssue } from './describe-issue.ts';

const describeWith = (schema: z.ZodType, value: unknown): string | undefined =>
  schema.safeParse(value, { error: (issue) => describeIssue(issue as z.core.$ZodIssue, issue.input) }).error
    ?.issues[0]?.message;

const channel = z.discriminatedUnion('channel', [
  z.object({ channel: z.literal('email') }),
  z.object({ channel: z.literal('webhook') }),
]);

test.each<[z.ZodType, unknown, string]>([
  [z.number().min(1), 0, 'Enter at least 1.'],
  [z.int().max(100_000), 100_001, 'Enter at most 100,000.'],
  [z.number().positive(), 0, 'Enter more than 0.'],
  [z.number().lt(10), 10, 'Enter less than 10.'],
  [z.number(), Number.NaN, 'This must be a number.'],
  [z.int(), 1.5, 'This must be a whole number.'],
  [z.string().min(1), '', 'Enter at least 1 character.'],
  [z.string().max(3), 'four', 'Enter at most 3 characters.'],
  [z.string().length(4), 'one', 'Enter exactly 4 characters.'],
  [z.array(z.string()).min(1), [], 'This must have at least 1 entry.'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'This must have at most 2 entries.'],
  [z.string().min(1, 'Enter a name.'), '', 'Enter a name.'],
  [z.string('Enter a name.'), 5, 'Enter a name.'],
  [channel, { channel: 'pager' }, 'This must be one of "email", "webhook".'],
  [z.string(), undefined, 'This field is required.'],
  [z.enum(['a', 'b']), 'c', 'This must be one of "a", "b".'],
])('%#: what is wrong is said in our words, or in those of the schema', (schema, value, message) => {
  expect(describeWith(schema, value)).toBe(message);
});

test('an issue that has zod’s own message gets ours, one with words of its schema keeps them', () => {
  const issueOf = (schema: z.ZodType) => schema.safeParse('').error?.issues[0] as z.core.$ZodIssue;
  expect(describeIssue(issueOf(z.string().min(2)), '')).toBe('Enter at least 2 characters.');
  expect(describeIssue(issueOf(z.string().min(2, 'Enter a name.')), '')).toBe('Enter a name.');
});
