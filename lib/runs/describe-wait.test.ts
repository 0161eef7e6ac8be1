import { expect, test } from 'vitest';
import { describeWait } from './list-waits.ts';

test.each([
  ['Question sent. Waiting for the customer’s answer.', 'Waiting for the customer’s answer'],
  ['Waiting for a decision until 2030-01-31T09:00:00.000Z.', 'Waiting for a decision'],
  ['Template sent. Waiting for it to be read.', 'Waiting for it to be read'],
  ['Delayed until 2030-01-31T09:00:00.000Z.', null],
  [null, null],
])('%s', (runText, wait) => {
  expect(describeWait(runText)).toBe(wait);
});
