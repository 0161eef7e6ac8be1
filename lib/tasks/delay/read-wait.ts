// What is allowed as the length or the end of a wait; used when settings are checked and when they are executed.
import type { JsonValue } from '#lib/core/json/value.ts';
import { explainMismatch } from '#lib/variables/describe-value.ts';
import { readInstant } from '#lib/variables/format-date.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/reading.ts';

const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;

export type DelayUnit = keyof typeof UNIT_MS;

/** 366 days: a wait is never longer. */
export const MAX_WAIT_MS = 366 * UNIT_MS.days;

/** The length of a wait in milliseconds. */
export function readAmount(amount: JsonValue | undefined, unit: DelayUnit): Reading<number> {
  const source = numberSource(amount);
  if (source === undefined) {
    return { problem: explainMismatch('duration', amount, `a number of ${unit}`) };
  }
  const milliseconds = Number(source) * UNIT_MS[unit];
  if (milliseconds < 0) return { problem: `The duration is ${source} ${unit}: it cannot be negative.` };
  if (milliseconds > MAX_WAIT_MS) {
    return { problem: `The duration is ${source} ${unit}: the maximum is 366 days.` };
  }
  return { value: Math.round(milliseconds) };
}

/** The end of a wait: ISO 8601 (UTC without a zone) or Unix time. */
export function readUntil(until: JsonValue | undefined): Reading<Date> {
  const value = readInstant(until);
  if (value) return { value };
  const problem = explainMismatch('date and time', until, 'a full date and time');
  return { problem: `${problem} Example: 2030-01-31T09:00:00Z` };
}
