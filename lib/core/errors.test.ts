import { expect, test } from 'vitest';
import { describeCauses, reasonOf } from './errors.ts';

const refused = new Error('connect ECONNREFUSED ::1:9');

test.each<[error: unknown, reason: string, all: string]>([
  [new Error('No file'), 'No file', 'No file'],
  [
    new TypeError('fetch failed', { cause: refused }),
    'connect ECONNREFUSED ::1:9',
    'fetch failed (connect ECONNREFUSED ::1:9)',
  ],
  [
    new TypeError('fetch failed', { cause: new AggregateError([refused, new Error('other address')]) }),
    'connect ECONNREFUSED ::1:9',
    'fetch failed (connect ECONNREFUSED ::1:9)',
  ],
  [new Error('a', { cause: new Error('b', { cause: new Error('c') }) }), 'c', 'a (b (c))'],
  [new RangeError(''), 'RangeError', 'RangeError'],
  ['a text', 'a text', 'unknown error'],
])('%s', (error, reason, all) => {
  expect([reasonOf(error), describeCauses(error)]).toEqual([reason, all]);
});
