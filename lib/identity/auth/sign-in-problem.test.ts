import { expect, test } from 'vitest';
import { readRefusal } from './sign-in-problem.ts';

test.each([
  ['?error=access_denied&error_description=No', 'cancelled'],
  ['?error=server_error', 'unknown'],
  ['?error=constructor', 'unknown'],
  ['?error=', undefined],
  ['?code=1&state=2', undefined],
])('an answer with %s', (query, problem) => {
  expect(readRefusal(new URLSearchParams(query))).toBe(problem);
});
