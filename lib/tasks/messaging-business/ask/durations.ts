// How long a question waits, and when its reminders come.
import type { JsonValue } from '#lib/core/json/value.ts';
import { hasVariables } from '#lib/tasks/setting-values.ts';
import { describeValue } from '#lib/variables/describe-value.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/reading.ts';

export const UNITS = ['minutes', 'hours', 'days'] as const;
const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
/** Waits are never longer. */
const MAX_MS = 366 * UNIT_MS.days;

/** In milliseconds. */
export function readDuration(amount: JsonValue | undefined, unit: (typeof UNITS)[number]): Reading<number> {
  const source = numberSource(amount);
  const milliseconds = Number(source) * UNIT_MS[unit];
  if (source === undefined || milliseconds <= 0)
    return { problem: `The duration is ${describeValue(amount)}: it must be a number above 0.` };
  return milliseconds > MAX_MS
    ? { problem: 'The maximum is 366 days.' }
    : { value: Math.round(milliseconds) };
}

/** What is wrong with a duration in the settings; undefined where it is only known when it runs. */
export const findWaitProblem = (amount: JsonValue): string | undefined =>
  hasVariables(amount) ? undefined : readDuration(amount, 'days').problem;
