// Values of date and time inputs, which browsers write as local times without a zone.
import { later } from '#components/ui/later.ts';
import { toLocal } from '#lib/core/time/zones.ts';

const fetchHours = later(() => import('#lib/core/time/hours.ts'));

/** The value of a date and time input for an instant; empty for an invalid one. @param instant ISO 8601 */
export function toLocalInput(instant: string, zone: string): string {
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? '' : toLocal(at, zone).toISOString().slice(0, 16);
}

/** The instant of such a value, as ISO 8601; undefined: it is empty or incomplete. @throws MissingCodeError */
export async function readLocalInput(value: string, zone: string): Promise<string | undefined> {
  const { fromLocal } = await fetchHours();
  return fromLocal(value, zone)?.toISOString();
}

/** When the day of a date input ends, as ISO 8601; undefined: it is empty or incomplete. @throws MissingCodeError */
export async function readEndOfDay(value: string, zone: string): Promise<string | undefined> {
  const { boundsOfDay, isDay } = await fetchHours();
  return isDay(value) ? boundsOfDay(value, zone).end.toISOString() : undefined;
}
