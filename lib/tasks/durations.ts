// How long a task waits at most, as settings say it: an amount and its unit.
import * as z from 'zod';
import type { JsonValue } from '#lib/core/json/value.ts';
import { hasVariables } from '#lib/tasks/setting-values.ts';
import { explainMismatch } from '#lib/variables/describe-value.ts';
import { numberSource } from '#lib/variables/to-text.ts';
import type { Reading } from '#lib/core/reading.ts';

const UNITS = ['minutes', 'hours', 'days'] as const;
const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 };
/** Waits are never longer. */
const MAX_MS = 366 * UNIT_MS.days;

export type DurationUnit = (typeof UNITS)[number];

/** The setting of a unit beside that of an amount. */
export const durationUnit = (unit: DurationUnit) =>
  z
    .enum(UNITS)
    .default(unit)
    .meta({ title: 'Unit', labels: { minutes: 'Minutes', hours: 'Hours', days: 'Days' } });

/** In milliseconds. */
export function readDuration(amount: JsonValue | undefined, unit: DurationUnit): Reading<number> {
  const source = numberSource(amount);
  const milliseconds = Number(source) * UNIT_MS[unit];
  if (source === undefined || milliseconds <= 0)
    return { problem: explainMismatch('duration', amount, 'a number above 0') };
  return milliseconds > MAX_MS
    ? { problem: 'The maximum is 366 days.' }
    : { value: Math.round(milliseconds) };
}

/** What is wrong with a duration in the settings; undefined where it is only known when it runs. */
export const findDurationProblem = (amount: JsonValue, unit: DurationUnit): string | undefined =>
  hasVariables(amount) ? undefined : readDuration(amount, unit).problem;
