import { expect, test } from 'vitest';
import type { Obstacle } from '#lib/messaging/platform/health-status.ts';
import { checkSending } from './check-connection.ts';

const obstacle = (more: Partial<Obstacle>): Obstacle => ({
  of: 'WABA',
  isBlocked: true,
  why: 'There is an error with the payment method.',
  code: 141006,
  solution: 'Add a payment method to the account.',
  ...more,
});
const unverified = obstacle({
  of: 'BUSINESS',
  isBlocked: false,
  why: 'Not verified.',
  code: null,
  solution: '',
});

test('a missing payment method blocks messages, and the fix is in our words', () => {
  expect(checkSending([obstacle({}), unverified])).toEqual({
    id: 'sending',
    result: 'failed',
    what: 'The platform blocks messages because of the business account: There is an error with the payment method (141006).',
    fix: 'Add or fix the payment method of the business account at the platform.',
  });
});

test('what only limits is a warning; without a solution the platform’s page has more', () => {
  expect(checkSending([unverified])).toMatchObject({
    result: 'warning',
    what: 'The platform limits messages because of the business: Not verified.',
    fix: 'Fix it in the platform’s dashboard.',
  });
});

test('what the platform calls otherwise is shown as it calls it, with its own solution', () => {
  expect(checkSending([obstacle({ of: 'FLOW', code: 1, solution: 'Publish it.' })])).toMatchObject({
    what: expect.stringContaining('because of FLOW') as string,
    fix: 'Publish it.',
  });
});

test('nothing in the way is fine, and so is a platform that does not say', () => {
  for (const told of [[], null, new Error('timeout')]) expect(checkSending(told).result).toBe('ok');
});
