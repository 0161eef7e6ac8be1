// A day whose messages still change is counted by hours, so that few messages are read again (docs/decisions/delivery-report.md).
import type { Queryable } from '#lib/core/db/client.ts';
import { countByHour, type MessageGroup } from './count-messages.ts';

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const HOURS_OF_DAY = 24;
/** At most this long, because statuses of older messages are few. */
const MAX_REST_MS = 6 * HOUR_MS;

export const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

interface CountedHour {
  hour: number;
  groups: MessageGroup[];
  nextAt: Date;
}

const READ = `
select hour, groups, next_at as "nextAt" from counted_hours where workspace_id = $1 and day = $2 and hour >= $3`;

const FORGET = 'delete from counted_hours where workspace_id = $1 and day = $2 and hour < $3';

const WRITE = `
insert into counted_hours (workspace_id, day, hour, groups, next_at)
select $1, $2, hour, groups, next_at from json_to_recordset($3) as counted(hour int, groups json, next_at timestamptz)
on conflict (workspace_id, day, hour) do update set groups = excluded.groups, next_at = excluded.next_at`;

/** When an hour is counted again: the running one every minute, older ones less often. */
export function nextCount(endMs: number, now: Date): Date {
  const ageMs = now.getTime() - endMs;
  return new Date(now.getTime() + Math.max(MINUTE_MS, Math.min(ageMs / 8, MAX_REST_MS)));
}

export interface HoursOfDay {
  workspaceId: string;
  day: string;
  /** Of the workspace. */
  zone: string;
  /** Those before it are frozen. */
  firstHour: number;
  now: Date;
  /** No status is expected anymore: the hours are not needed again. */
  isSettled: boolean;
}

/**
 * Counts the hours of a day that have begun and are due.
 * @param client of a transaction that has locked the day
 * @returns the groups of all hours, and when the next hour is due; null: never
 */
export async function countHours(
  client: Queryable,
  { workspaceId, day, zone, firstHour, now, isSettled }: HoursOfDay,
): Promise<{ groups: MessageGroup[]; nextAt: Date | null }> {
  const known = await client.query<CountedHour>(READ, [workspaceId, day, firstHour]);
  const hours = new Map(known.rows.map((row) => [row.hour, row]));
  const notFrozen = Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour).slice(firstHour);
  const isBegun = (hour: number): boolean => endOf(day, hour - 1) <= now.getTime();
  const due = notFrozen.filter((hour) => {
    const next = hours.get(hour)?.nextAt;
    return isBegun(hour) && (isSettled || !next || next <= now);
  });
  for (const { first, last } of toSpans(due)) {
    const span = { from: new Date(endOf(day, first - 1)), to: new Date(endOf(day, last)), day, zone };
    const counted = await countByHour(client, workspaceId, span);
    for (let hour = first; hour <= last; hour += 1)
      hours.set(hour, { hour, groups: counted.get(hour) ?? [], nextAt: nextCount(endOf(day, hour), now) });
  }
  await client.query(FORGET, [workspaceId, day, isSettled ? HOURS_OF_DAY : firstHour]);
  if (!isSettled && due.length > 0) {
    const written = due.flatMap((hour) => hours.get(hour) ?? []);
    const rows = written.map(({ nextAt, ...counted }) => ({ ...counted, next_at: nextAt }));
    await client.query(WRITE, [workspaceId, day, JSON.stringify(rows)]);
  }
  const all = [...hours.values()];
  const beginsMs = notFrozen.filter((hour) => !isBegun(hour)).map((hour) => endOf(day, hour - 1));
  const nextMs = Math.min(...all.map(({ nextAt }) => nextAt.getTime()), ...beginsMs);
  return {
    groups: all.flatMap(({ groups }) => groups),
    nextAt: isSettled || nextMs === Infinity ? null : new Date(nextMs),
  };
}

const endOf = (day: string, hour: number): number => startOf(day) + (hour + 1) * HOUR_MS;

/** Hours that follow one another are counted by one statement. */
function toSpans(hours: readonly number[]): { first: number; last: number }[] {
  const spans: { first: number; last: number }[] = [];
  for (const hour of hours) {
    const before = spans.at(-1);
    if (before?.last === hour - 1) before.last = hour;
    else spans.push({ first: hour, last: hour });
  }
  return spans;
}
