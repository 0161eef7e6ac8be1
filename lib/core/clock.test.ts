import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProcessClock } from './clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;

/** Gives the clock a time with an offset to this machine's, after a query of this duration. */
function tell(clock: ProcessClock, offMs: number, tookMs = 0): void {
  const askedAtMs = performance.now();
  const told = new Date(Date.now() + offMs);
  vi.advanceTimersByTime(tookMs);
  clock.learn(told, askedAtMs, performance.now());
}

test('a new clock has the time of the machine', () => {
  expect(new ProcessClock().now()).toEqual(new Date());
});

test('a clock follows the database, however wrong the machine is', () => {
  const clock = new ProcessClock();
  tell(clock, -2 * HOUR_MS);
  expect(clock.now().getTime()).toBe(Date.now() - 2 * HOUR_MS);
  vi.advanceTimersByTime(5000);
  expect(clock.now().getTime()).toBe(Date.now() - 2 * HOUR_MS);
});

test.each([2 * HOUR_MS, -2 * HOUR_MS])('a machine whose clock is set by %i ms changes nothing', (byMs) => {
  const clock = new ProcessClock();
  const before = clock.now().getTime();
  vi.setSystemTime(Date.now() + byMs);
  vi.advanceTimersByTime(10);
  expect(clock.now().getTime()).toBe(before + 10);
});

test('an answer that fits changes nothing, and one that does not moves the time no further than needed', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -10_000, max: 10_000 }),
      fc.integer({ min: 0, max: 3000 }),
      (offMs, tookMs) => {
        const clock = new ProcessClock();
        tell(clock, offMs, tookMs);
        // The time was read between the beginning and the end of the query.
        const [earliest, latest] = [offMs - tookMs, offMs];
        const expected = Math.min(Math.max(0, earliest), latest);
        expect(clock.now().getTime() - Date.now()).toBeCloseTo(expected, 0);
      },
    ),
  );
});
