import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('each failure doubles the delay, up to the longest', () => {
  const delays = [0, 1, 2, 3, 9, 5000].map((failures) =>
    backoffMs(failures, { firstMs: 15_000, longestMs: 3_600_000 }),
  );
  expect(delays).toEqual([15_000, 30_000, 60_000, 120_000, 3_600_000, 3_600_000]);
});
