import { expect, test } from 'vitest';
import { describeWait, hasNoTime } from './list-waits.ts';

test.each([
  ['Question sent. Waiting for the customer’s answer.', 'Waiting for the customer’s answer'],
  ['Waiting for a decision until 2030-01-31T09:00:00.000Z.', 'Waiting for a decision'],
  ['Template sent. Waiting for it to be read.', 'Waiting for it to be read'],
  ['Delayed until 2030-01-31T09:00:00.000Z.', null],
  [
    'Waiting until the customer’s hold is released. The message is sent then.',
    'Waiting until the customer’s hold is released',
  ],
  [null, null],
])('%s', (runText, wait) => {
  expect(describeWait(runText)).toBe(wait);
  expect(hasNoTime(wait)).toBe(wait?.endsWith('released') ?? false);
});
