// The worker's recurring job that counts messages by day for reports (docs/decisions/delivery-report.md).
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';
import { restSince, SLICE_MS } from '#lib/core/queue/slice.ts';
import { DEFAULT_TIME } from '#lib/identity/schema/time-types.ts';
import { countHours, HOUR_MS, startOf } from './count-hours.ts';
import { countMessages, mergeGroups, type MessageGroup } from './count-messages.ts';

const DAY_MS = 86_400_000;

/** The platform reports statuses for up to 30 days. */
const SETTLED_AFTER_MS = 32 * DAY_MS;
/** A day is counted again at the earliest after this many times as long as counting took: 5 % of one connection at most. */
const REST_FACTOR = 20;
const DAYS_AT_ONCE = 100;

const endOf = (day: string): number => startOf(day) + DAY_MS;
const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export interface CountingOptions {
  pool: Pool;
  now?: Date;
  /** How long it may work. */
  sliceMs?: number;
}

interface Day {
  workspaceId: string;
  day: string;
}

/**
 * Counts the days that are due for some seconds, the newest first.
 * @returns whether more are due
 */
export async function countDueDays({
  pool,
  now = new Date(),
  sliceMs = SLICE_MS,
}: CountingOptions): Promise<boolean> {
  const deadline = performance.now() + sliceMs;
  await findDays(pool, now);
  const { rows: due } = await pool.query<Day>(DUE, [now, DAYS_AT_ONCE]);
  for (const each of due) {
    if (performance.now() >= deadline) return true;
    const since = performance.now();
    await countDay(pool, each, now);
    await restSince(since);
  }
  return due.length === DAYS_AT_ONCE;
}

/**
 * From day to day by the index over workspace and time: one entry of each day is read. The last known day is searched again with
 * the previous one, because a message belongs to the instant at which its transaction began.
 */
const FIND_DAYS = `
with recursive found as (
  select w.id as workspace_id, next.day from workspaces w
  cross join lateral (select max(day) - 1 as day from counted_days where workspace_id = w.id) known
  cross join lateral (
    select (created_at at time zone 'utc')::date as day from sent_messages
    where workspace_id = w.id and created_at >= coalesce(known.day::timestamp at time zone 'utc', '-infinity')
    order by created_at limit 1) next
  union all
  select found.workspace_id, next.day from found
  cross join lateral (
    select (created_at at time zone 'utc')::date as day from sent_messages
    where workspace_id = found.workspace_id and created_at >= (found.day + 1)::timestamp at time zone 'utc'
    order by created_at limit 1) next
)
insert into counted_days (workspace_id, day, next_at)
select workspace_id, day, $1::timestamptz from found on conflict do nothing`;

const SEARCHED = `
insert into message_counting (is_only, searched_at) values (true, $1)
on conflict (is_only) do update set searched_at = excluded.searched_at`;

const DUE = `
select workspace_id as "workspaceId", day::text from counted_days where next_at <= $1
order by day desc, next_at limit $2`;

async function findDays(pool: Pool, now: Date): Promise<void> {
  await pool.query(FIND_DAYS, [now]);
  await pool.query(SEARCHED, [now]);
}

/** Counting and freezing of a day exclude each other. */
const LOCK = `
select frozen_before as "frozenBefore" from counted_days where workspace_id = $1 and day = $2 for update`;

/** Read after the lock, so that who changes it after that has it counted again. */
async function findZone(client: Queryable, workspaceId: string): Promise<string> {
  const { rows } = await client.query<{ zone: string }>(
    'select zone from workspace_times where workspace_id = $1',
    [workspaceId],
  );
  return rows[0]?.zone ?? DEFAULT_TIME.zone;
}

const COUNTED = `
update counted_days set counted_at = $3, next_at = $4, frozen_before = $5 where workspace_id = $1 and day = $2`;

/** Counts the messages of a day again that are not frozen, as far as their hours are due. */
const countDay = (pool: Pool, { workspaceId, day }: Day, now: Date): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ frozenBefore: Date | null }>(LOCK, [workspaceId, day]);
    const frozenBefore = rows[0]?.frozenBefore ?? null;
    await countRest(client, { workspaceId, day }, { frozenBefore, now });
  });

async function countRest(
  client: Queryable,
  { workspaceId, day }: Day,
  { frozenBefore, now }: { frozenBefore: Date | null; now: Date },
): Promise<void> {
  const since = performance.now();
  const firstHour = frozenBefore ? (frozenBefore.getTime() - startOf(day)) / HOUR_MS : 0;
  const isSettled = now.getTime() - endOf(day) > SETTLED_AFTER_MS;
  const zone = await findZone(client, workspaceId);
  const counted = await countHours(client, { workspaceId, day, zone, firstHour, now, isSettled });
  await replaceRows(client, { workspaceId, day }, { isFrozen: false, groups: mergeGroups(counted.groups) });
  const restMs = REST_FACTOR * (performance.now() - since);
  const nextAt = counted.nextAt && new Date(Math.max(counted.nextAt.getTime(), now.getTime() + restMs));
  await client.query(COUNTED, [workspaceId, day, now, nextAt, frozenBefore]);
}

const KNOW = `
insert into counted_days (workspace_id, day, next_at) values ($1, $2, $3) on conflict do nothing`;

/**
 * Counts messages for the last time before retention removes them: a later count could only find fewer. By hours, so that statuses of
 * the others still count.
 * @param instants of all messages that are about to be removed
 */
export async function freezeMessages(
  pool: Pool,
  workspaceId: string,
  instants: readonly Date[],
  now = new Date(),
): Promise<void> {
  for (const [day, ofDay] of Map.groupBy(instants, dayOf)) {
    const lastMs = Math.max(...ofDay.map((at) => at.getTime()));
    const until = new Date((Math.floor(lastMs / HOUR_MS) + 1) * HOUR_MS);
    await freeze(pool, { workspaceId, day }, until, now);
  }
}

const FROZEN_BEFORE = `
select frozen_before as "frozenBefore" from counted_days where workspace_id = $1 and day = $2`;

async function freeze(pool: Pool, { workspaceId, day }: Day, until: Date, now: Date): Promise<void> {
  const known = await pool.query<{ frozenBefore: Date | null }>(FROZEN_BEFORE, [workspaceId, day]);
  if ((known.rows[0]?.frozenBefore?.getTime() ?? 0) >= until.getTime()) return;
  await inTransaction(pool, async (client) => {
    await client.query(KNOW, [workspaceId, day, now]);
    const { rows } = await client.query<{ frozenBefore: Date | null }>(LOCK, [workspaceId, day]);
    const from = rows[0]?.frozenBefore ?? new Date(startOf(day));
    if (from >= until) return;
    const before = await readRows(client, { workspaceId, day });
    const zone = await findZone(client, workspaceId);
    const added = await countMessages(client, workspaceId, { from, to: until, day, zone });
    await replaceRows(
      client,
      { workspaceId, day },
      { isFrozen: true, groups: mergeGroups([...before, ...added]) },
    );
    await countRest(client, { workspaceId, day }, { frozenBefore: until, now });
  });
}

const FROZEN = `
select day_shift, phone_number_id, kind, template_name, workflow_id, accepted, sent, delivered, read, answered, failed, failures, categories,
  answer_times
from message_days where workspace_id = $1 and day = $2 and is_frozen`;

const readRows = async (client: Queryable, { workspaceId, day }: Day): Promise<MessageGroup[]> =>
  (await client.query<MessageGroup>(FROZEN, [workspaceId, day])).rows;

const REMOVE = 'delete from message_days where workspace_id = $1 and day = $2 and is_frozen = $3';

const INSERT = `
insert into message_days (workspace_id, day, is_frozen, day_shift, phone_number_id, kind, template_name, workflow_id, accepted, sent, delivered,
  read, answered, failed, failures, categories, answer_times)
select $1, $2, $3, coalesce(day_shift, 0), phone_number_id, kind, template_name, workflow_id, accepted, sent, delivered, read, answered,
  failed, failures, categories, answer_times
from json_to_recordset($4) as counted(day_shift smallint, phone_number_id text, kind text, template_name text, workflow_id uuid,
  accepted int, sent int, delivered int, read int, answered int, failed int, failures json, categories json, answer_times json)`;

async function replaceRows(
  client: Queryable,
  { workspaceId, day }: Day,
  { isFrozen, groups }: { isFrozen: boolean; groups: readonly MessageGroup[] },
): Promise<void> {
  await client.query(REMOVE, [workspaceId, day, isFrozen]);
  if (groups.length > 0) await client.query(INSERT, [workspaceId, day, isFrozen, JSON.stringify(groups)]);
}

const COUNT_AGAIN = [
  'update counted_days set next_at = least(next_at, now()) where workspace_id = $1 and next_at is not null',
  'update counted_hours set next_at = least(next_at, now()) where workspace_id = $1',
];

/** Counts all days again whose messages may still change, as the workspace's days begin at other instants. */
export async function countAgainInZone(client: Queryable, workspaceId: string): Promise<void> {
  for (const statement of COUNT_AGAIN) await client.query(statement, [workspaceId]);
}
