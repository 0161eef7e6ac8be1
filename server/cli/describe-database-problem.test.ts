import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeDatabaseProblem } from './describe-database-problem.ts';

const error = (message: string, more: object): Error => Object.assign(new Error(message), more);
const refused = error('connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED', syscall: 'connect' });

test.each([
  refused,
  new DrizzleQueryError('select 1', [], refused),
  new AggregateError([refused, refused]),
  error('getaddrinfo ENOTFOUND db.example', { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
  error('password authentication failed for user "x"', { code: '28P01' }),
  error('database "x" does not exist', { code: '3D000' }),
])('%s: what keeps a command from the database is said in one line', (problem) => {
  expect(describeDatabaseProblem(problem)).toMatch(/^[^\n]+\. DATABASE_URL says which database is meant\.$/);
});

test.each([
  error('relation "x" does not exist', { code: '42P01' }),
  error("ENOENT: no such file or directory, open '/x'", { code: 'ENOENT', syscall: 'open', path: '/x' }),
  new Error('something else'),
  'no error',
])('%s is none of them', (problem) => {
  expect(describeDatabaseProblem(problem)).toBeNull();
});
