import { DrizzleQueryError } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from './database-unavailable.ts';

const withCode = (code: string): Error => Object.assign(new Error('It failed.'), { code });

test.each([
  ['connection failure', withCode('08006')],
  ['disk full', withCode('53100')],
  ['too many connections', withCode('53300')],
  ['terminated by an administrator', withCode('57P01')],
  ['starting up', withCode('57P03')],
  ['error of the disk', withCode('58030')],
  ['a standby after a failover', withCode('25006')],
  ['a transaction was idle for too long', withCode('25P03')],
  ['nobody listens', withCode('ECONNREFUSED')],
  ['the driver says so', new Error('Connection terminated unexpectedly')],
  [
    'the connection broke before',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['wrapped by drizzle', new DrizzleQueryError('select 1', [], withCode('57P01'))],
])('the database is unavailable: %s', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test.each([
  ['a unique violation', withCode('23505')],
  ['a cancelled statement', withCode('57014')],
  ['a wrapped mistake', new DrizzleQueryError('select 1', [], withCode('42601'))],
  ['an error that was caused by one, but is another', new Error('No.', { cause: withCode('57P01') })],
  ['no error', 'ECONNREFUSED'],
])('it is something else: %s', (_, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false);
});
