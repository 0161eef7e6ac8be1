import * as z from 'zod';
import type { Problem } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { type DurationUnit, readDuration } from '#lib/tasks/durations.ts';
import { askFields } from './settings.ts';

const { wait_amount, wait_unit, reminders } = askFields.shape;
const timesSchema = z.object({ wait_amount, wait_unit, reminders });

/** Undefined where it is only known when it runs, or is none. */
const readMs = (amount: JsonValue, unit: DurationUnit): number | undefined =>
  readDuration(amount, unit).value;

/**
 * Reminders that are due after the end of the wait. Versions that were published with one still run: it is left out.
 * @param settings possibly refused by the schema for other reasons
 */
export function findLateReminders(settings: unknown): Problem[] {
  const { data } = timesSchema.safeParse(settings);
  if (!data) return [];
  const waitMs = readMs(data.wait_amount, data.wait_unit);
  if (waitMs === undefined) return [];
  return data.reminders.flatMap(({ amount, unit }, place) => {
    const afterMs = readMs(amount, unit);
    if (afterMs === undefined || afterMs < waitMs) return [];
    const message =
      'This reminder would come after the wait and never be sent: enter a shorter time, or a longer wait.';
    return [{ path: `settings.reminders[${place}].amount`, message }];
  });
}
