import { describe, expect, it } from 'vitest';
import { findDurationProblem, readDuration } from './durations.ts';

describe('durations of waits', () => {
  it.each([
    [90, 'minutes', 5_400_000],
    ['1.5', 'hours', 5_400_000],
    [366, 'days', 31_622_400_000],
  ] as const)('%s %s', (amount, unit, milliseconds) => {
    expect(readDuration(amount, unit)).toEqual({ value: milliseconds });
  });

  it.each([
    [0, 'minutes', '0 isn’t a number above 0'],
    ['soon', 'days', '"soon" isn’t a number above 0.'],
    [367, 'days', 'The maximum is 366 days.'],
    [8785, 'hours', 'The maximum is 366 days.'],
  ] as const)('%s %s is refused', (amount, unit, message) => {
    expect(findDurationProblem(amount, unit)).toContain(message);
  });

  it.each([
    [1440, 'minutes'],
    ['{{task_1_days}}', 'days'],
  ] as const)('%s %s is accepted in settings', (amount, unit) => {
    expect(findDurationProblem(amount, unit)).toBeUndefined();
  });
});
