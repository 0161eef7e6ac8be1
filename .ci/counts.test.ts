import { expect, it } from 'vitest';
import { countPlaywright, countVitest, findSlowest } from './counts.ts';

const result = (...durations: number[]) => ({
  tests: [{ results: durations.map((duration) => ({ duration })) }],
});
const report = (stats: { expected: number; unexpected: number; flaky: number; skipped: number }) => ({
  config: { rootDir: '/repository/e2e' },
  suites: [
    {
      file: 'canvas.spec.ts',
      specs: [result(2000)],
      suites: [{ file: 'canvas.spec.ts', specs: [result(500, 500)] }],
    },
  ],
  stats,
  errors: [] as unknown[],
});

it('counts a browser test that passed only when it was tried again as a failure', () => {
  const counts = countPlaywright(
    '/repository',
    report({ expected: 96, unexpected: 0, flaky: 1, skipped: 2 }),
  );
  expect(counts).toEqual({
    passed: 96,
    failed: 1,
    note: '2 skipped, 1 passed only when tried again',
    durations: [{ file: 'e2e/canvas.spec.ts', seconds: 3 }],
  });
});

it('counts a test that failed, and errors outside the tests, as failures', () => {
  const counts = report({ expected: 96, unexpected: 1, flaky: 0, skipped: 0 });
  expect(countPlaywright('/repository', { ...counts, errors: ['the product did not start'] })).toMatchObject({
    passed: 96,
    failed: 2,
  });
});

it('counts the tests of vitest, a file that could not be loaded, and how long each file took', () => {
  const file = (name: string, status: string, assertionResults: object[]) => ({
    name: `/repository/lib/${name}`,
    status,
    startTime: 1000,
    endTime: 3500,
    assertionResults,
  });
  const counts = countVitest('/repository', {
    numPassedTests: 1,
    numFailedTests: 0,
    numPendingTests: 0,
    testResults: [
      file('a.test.ts', 'passed', [{ status: 'passed', title: 'adds', ancestorTitles: ['a sum'] }]),
      file('b.test.ts', 'failed', []),
    ],
  });
  expect(counts).toMatchObject({ passed: 1, failed: 1 });
  expect(counts.passedTests).toEqual([{ file: 'lib/a.test.ts', titles: ['a sum', 'adds'] }]);
  expect(counts.durations?.[0]).toEqual({ file: 'lib/a.test.ts', seconds: 2.5 });
});

it('finds the slowest files', () => {
  const durations = [1, 3, 2].map((seconds) => ({ file: `${seconds}.test.ts`, seconds }));
  expect(findSlowest(durations, 2).map(({ seconds }) => seconds)).toEqual([3, 2]);
});
