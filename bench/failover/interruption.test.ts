import { expect, test } from 'vitest';
import { measureInterruption } from './interruption.ts';
import type { Attempt } from './load.ts';

const ok = (startedAt: number, endedAt = startedAt + 10): Attempt => ({
  startedAt,
  endedAt,
  status: 200,
  isAcknowledged: true,
});
const refused = (startedAt: number): Attempt => ({ ...ok(startedAt), status: 503, isAcknowledged: false });
const steady = (from: number, to: number): Attempt[] =>
  Array.from({ length: (to - from) / 100 }, (_, index) => ok(from + index * 100));

test('nothing is noticed where all requests are acknowledged at once', () => {
  expect(measureInterruption(steady(0, 10_000), 2000, 10_000)).toEqual({ refused: 0, acceptedAgainMs: 0 });
});

test('an interruption lasts until a request is acknowledged after the last one that was refused', () => {
  const attempts = [...steady(0, 2000), refused(2100), ok(2500), refused(5000), ...steady(9000, 12_000)];
  expect(measureInterruption(attempts, 2000, 12_000)).toEqual({ refused: 2, acceptedAgainMs: 7010 });
});

test('requests that only took long count, too', () => {
  const attempts = [...steady(0, 2000), ok(2000, 8000), ...steady(8000, 12_000)];
  expect(measureInterruption(attempts, 2000, 12_000)).toEqual({ refused: 0, acceptedAgainMs: 6000 });
});

test('one that does not end is infinite', () => {
  const { acceptedAgainMs } = measureInterruption([...steady(0, 2000), refused(2100)], 2000, 12_000);
  expect(acceptedAgainMs).toBe(Infinity);
  expect(measureInterruption(steady(0, 2000), 2000, 12_000).acceptedAgainMs).toBe(Infinity);
});

test('what came before the fault, or after the end, is not looked at', () => {
  const attempts = [refused(100), ...steady(200, 12_000), refused(12_100)];
  expect(measureInterruption(attempts, 2000, 12_000)).toEqual({ refused: 0, acceptedAgainMs: 0 });
});
