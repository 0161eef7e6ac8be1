import type { Queryable } from '#lib/core/db/client.ts';
import { createdAtMs } from '#lib/core/ids.ts';
import type { RetentionPart } from '#lib/identity/schema/retention.ts';

/** A part of a workspace in which something has become due since it was worked on. */
export interface DuePart {
  workspaceId: string;
  name: RetentionPart;
  /** Everything older is to be removed. */
  cutoff: Date;
  /** What is older than this is removed by another part; null: nothing is. */
  skippedBefore: Date | null;
}

/** What has become due is gathered for this long, so that every pass has something to do. */
const STEP = `interval '1 hour'`;

/** Contents go with their run at the latest, and then nothing has to be cleared before. */
const BODIES_DAYS = `case when s.bodies_days < s.runs_days or s.runs_days is null then s.bodies_days end`;
const PARTS = `
(values
  ('run_bodies', ${BODIES_DAYS}), ('event_bodies', ${BODIES_DAYS}),
  ('runs', s.runs_days), ('events', s.runs_days), ('lists', s.runs_days), ('messages', s.messages_days),
  ('received', s.messages_days), ('windows', s.messages_days), ('names', s.messages_days),
  ('remembered', s.messages_days), ('audit', s.audit_days)
) as part(name, days)`;

const FROM = `
from retention_settings s
cross join lateral ${PARTS}
left join retention_progress p on p.workspace_id = s.workspace_id and p.part = part.name
where part.days is not null`;

const CUTOFF = `$1::timestamptz - make_interval(days => part.days)`;

const DUE = `
select s.workspace_id as "workspaceId", part.name, ${CUTOFF} as cutoff,
  case when part.name in ('run_bodies', 'event_bodies') then $1::timestamptz - make_interval(days => s.runs_days) end
    as "skippedBefore" ${FROM}
  and (p.done_through is null or p.done_through < ${CUTOFF} - ${STEP})
order by p.worked_at nulls first limit $2`;

/** Those that were worked on longest ago come first. */
export async function listDueParts(db: Queryable, now: Date, limit: number): Promise<DuePart[]> {
  return (await db.query<DuePart>(DUE, [now, limit])).rows;
}

/** A part on which nothing was done yet has no first term, which `least` ignores; infinite intervals came with PostgreSQL 17. */
const OVERDUE = `
select coalesce(max(extract(epoch from least(
  ${CUTOFF} - p.done_through, $1::timestamptz - s.changed_at
)))::float8, 0) as seconds ${FROM}`;

/**
 * For how many seconds, of all workspaces and parts, something has been due for longest without being removed. Since retention
 * was changed at most: the backlog that shortening it makes is not late yet.
 */
export async function readOverdueSeconds(db: Queryable, now = new Date()): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(OVERDUE, [now]);
  return Math.max(0, rows[0]?.seconds ?? 0);
}

/** The administrator is alerted beyond this. */
export const LATE_SECONDS = 86_400;

/** Seconds since the oldest event that is stored was received, in any workspace; 0: there is none. */
export async function readOldestEventSeconds(db: Queryable, now = new Date()): Promise<number> {
  const { rows } = await db.query<{ id: string }>('select id from events order by id limit 1');
  return rows[0] === undefined ? 0 : Math.max(0, (now.getTime() - createdAtMs(rows[0].id)) / 1000);
}
