// The duration and the end of a wait, checked by the same rules in settings and when executed.
import * as z from 'zod';
import type { JsonValue } from '#lib/core/json/value.ts';
import { hasVariables } from '#lib/tasks/setting-values.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { readInstant } from '#lib/variables/formats.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/errors.ts';

const UNITS = ['minutes', 'hours', 'days'] as const;
const UNIT_MS = { seconds: 1000, minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const;
/** Waits are never longer than 366 days. */
export const MAX_WAIT_MS = 366 * UNIT_MS.days;

export type DurationUnit = (typeof UNITS)[number];

/** The setting of a unit beside that of an amount. */
export const durationUnit = (unit: DurationUnit) =>
  z
    .enum(UNITS)
    .default(unit)
    .meta({ title: 'Unit', labels: { minutes: 'Minutes', hours: 'Hours', days: 'Days' } });

/** A duration in milliseconds. */
export function readDuration(
  amount: JsonValue | undefined,
  unit: keyof typeof UNIT_MS,
  { allowsZero = false } = {},
): Reading<number> {
  const source = numberSource(amount);
  const milliseconds = Number(source) * UNIT_MS[unit];
  if (source === undefined || milliseconds < 0 || (milliseconds === 0 && !allowsZero))
    return {
      problem: explainMismatch('duration', amount, `a number ${allowsZero ? 'of at least' : 'above'} 0`),
    };
  return milliseconds > MAX_WAIT_MS
    ? { problem: 'The maximum is 366 days.' }
    : { value: Math.round(milliseconds) };
}

/** The problem of a duration in the settings; undefined where it is only known in a run. */
export const findDurationProblem = (amount: JsonValue, unit: DurationUnit): string | undefined =>
  hasVariables(amount) ? undefined : readDuration(amount, unit).problem;

/** The end of a wait: ISO 8601 (UTC without a zone) or Unix time. */
export function readUntil(until: JsonValue | undefined): Reading<Date> {
  const value = readInstant(until);
  if (value) return { value };
  const problem = explainMismatch('date and time', until, 'a full date and time');
  return { problem: `${problem} Example: 2030-01-31T09:00:00Z` };
}
