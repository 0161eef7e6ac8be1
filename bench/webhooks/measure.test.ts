import { expect, test } from 'vitest';
import type { LoadResult } from '../load.ts';
import { type Costs, median, medianOf, summarize } from './measure.ts';

test('the median of an even number of values lies between the middle two', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 10])).toBe(3.5);
  expect(median([7])).toBe(7);
  expect(median([])).toBeNaN();
});

const load: LoadResult = {
  requestsPerSecond: 1000,
  requests: 5000,
  p50Ms: 2,
  p99Ms: 9,
  errors: 0,
  generator: 'wrk',
};
const costs = (web: number, PostgreSQL: number, generator: number, machine: number, wall: number): Costs => ({
  parts: { web, PostgreSQL },
  generator,
  machine,
  wallSeconds: wall,
});
const before = costs(10, 20, 5, 100, 1000);
const after = costs(10.5, 21, 5.25, 104, 1010);

test('webhooks that were executed after the load count, and so does the time that took', () => {
  const run = { executed: 5032, startedAt: 50_000, endedAt: 60_000, left: 0 };
  const measured = summarize(load, run, before, after);
  expect(measured).toMatchObject({ executedPerSecond: 503.2, drainSeconds: 5, requestsPerSecond: 1000 });
  expect(measured.microseconds.web).toBeCloseTo(500_000 / 5032);
  expect(measured.totalMicroseconds).toBeCloseTo(1_500_000 / 5032);
  expect(measured.generatorMicroseconds).toBeCloseTo(250_000 / 5032);
  expect(measured.coresOfOthers).toBeCloseTo(0.225);
});

test('where a product does not tell, every answered webhook was executed', () => {
  const measured = summarize(load, { startedAt: 0, endedAt: 1, left: 0 }, before, after);
  expect(measured).toMatchObject({ executedPerSecond: 1000, drainSeconds: 0 });
});

test('rounds have the median of each figure, and the most errors', () => {
  const run = { executed: 5000, startedAt: 0, endedAt: 5000, left: 0 };
  const rounds = [0.5, 0.1, 0.3].map((web, index) => ({
    ...summarize(load, run, before, costs(10 + web, 21, 5, 104, 1010)),
    p99Ms: [3, 20, 4][index] ?? 0,
    errors: [0, 2, 1][index] ?? 0,
  }));
  const { microseconds, p99Ms, errors } = medianOf(rounds);
  expect(microseconds.web).toBeCloseTo(60);
  expect({ p99Ms, errors }).toEqual({ p99Ms: 4, errors: 2 });
});
