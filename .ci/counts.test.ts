import { expect, it } from 'vitest';
import { countPlaywright, countVitest, findSlowest } from './counts.ts';

const result = (title: string, durations: number[], error?: string) => ({
  title,
  file: 'canvas.spec.ts',
  tests: [
    {
      status: error === undefined ? 'expected' : 'unexpected',
      results: durations.map((duration) => ({
        duration,
        errors: error === undefined ? [] : [{ message: error }],
      })),
    },
  ],
});
const report = (stats: { expected: number; unexpected: number; flaky: number; skipped: number }) => ({
  config: { rootDir: '/repository/e2e' },
  suites: [
    {
      file: 'canvas.spec.ts',
      specs: [result('draws', [2000])],
      suites: [
        {
          file: 'canvas.spec.ts',
          specs: [result('drops', [500, 500], '\u001b[31mError\u001b[39m: no task\n    at e2e')],
        },
      ],
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
    failures: ['e2e/canvas.spec.ts › drops: Error: no task | at e2e'],
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
    numFailedTests: 1,
    numPendingTests: 0,
    testResults: [
      file('a.test.ts', 'passed', [{ status: 'passed', title: 'adds', ancestorTitles: ['a sum'] }]),
      { ...file('b.test.ts', 'failed', []), message: 'Cannot find it' },
      file('c.test.ts', 'failed', [
        {
          status: 'failed',
          title: 'adds',
          ancestorTitles: ['a sum'],
          failureMessages: ['AssertionError: 1\n'],
        },
      ]),
    ],
  });
  expect(counts).toMatchObject({ passed: 1, failed: 2 });
  expect(counts.failures).toEqual([
    'lib/c.test.ts › a sum › adds: AssertionError: 1',
    'lib/b.test.ts: Cannot find it',
  ]);
  expect(counts.passedTests).toEqual([{ file: 'lib/a.test.ts', titles: ['a sum', 'adds'] }]);
  expect(counts.durations?.[0]).toEqual({ file: 'lib/a.test.ts', seconds: 2.5 });
});

it('finds the slowest files', () => {
  const durations = [1, 3, 2].map((seconds) => ({ file: `${seconds}.test.ts`, seconds }));
  expect(findSlowest(durations, 2).map(({ seconds }) => seconds)).toEqual([3, 2]);
});
