import { expect, it } from 'vitest';
import { countPlaywright } from './counts.ts';

const report = (stats: { expected: number; unexpected: number; flaky: number; skipped: number }) => ({
  stats,
  errors: [],
});

it('says how many browser tests needed a second attempt', () => {
  expect(countPlaywright(report({ expected: 96, unexpected: 0, flaky: 1, skipped: 2 }))).toEqual({
    passed: 97,
    failed: 0,
    note: '2 skipped, 1 at the second attempt',
  });
});

it('counts a test that failed twice, and errors outside the tests, as failures', () => {
  const counts = report({ expected: 96, unexpected: 1, flaky: 0, skipped: 0 });
  expect(countPlaywright({ ...counts, errors: ['the product did not start'] })).toEqual({
    passed: 96,
    failed: 2,
  });
});
