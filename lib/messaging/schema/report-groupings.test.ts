import { expect, test } from 'vitest';
import { ANSWER_HOURS, ANSWER_SECONDS, medianSeconds } from './report-groupings.ts';

const classOf = (seconds: number): number => ANSWER_SECONDS.findLastIndex((first) => first <= seconds);
const timesOf = (...seconds: number[]): Record<string, number> => {
  const times: Record<string, number> = {};
  for (const each of seconds) times[classOf(each)] = (times[classOf(each)] ?? 0) + 1;
  return times;
};

test('the classes are in order, within the time of answers, and from 10 seconds on none is longer than half of its beginning', () => {
  for (const [index, first] of ANSWER_SECONDS.entries()) {
    const next = ANSWER_SECONDS[index + 1] ?? ANSWER_HOURS * 3600;
    expect(next).toBeGreaterThan(first);
    if (first >= 10) expect(next).toBeLessThanOrEqual(1.5 * first);
  }
});

test.each([
  [[], null],
  // In the middle of its class, which is from 120 to 180 seconds.
  [[130], 150],
  [[1, 130, 90_000 - 4000], 150],
  // The end of the first one.
  [[1, 3000], 5],
  [[80_000], 79_200],
])('the median of answers after %j seconds is %s', (seconds, median) => {
  expect(medianSeconds(timesOf(...seconds))).toBe(median);
});
