// The operator's switch (`patchbay search`), and what it says.
import { inTransaction, type Pool, type Queryable } from '#lib/core/db/client.ts';

const IS_ON = 'select true as is_on from full_text_switch';

export const isFullTextOn = async (db: Queryable): Promise<boolean> =>
  (await db.query(IS_ON)).rows.length > 0;

/** Workers begin to index what there is, from the newest event on, and what arrives from now on. */
export async function switchFullTextOn(db: Queryable): Promise<void> {
  await db.query('insert into full_text_switch default values on conflict do nothing');
}

/** How long it waits for searches that run before it gives up. */
const LOCK_TIMEOUT = `set local lock_timeout = '5s'`;

/** Removes the index at once, also from the disk. A worker that writes to it ends first. */
export const switchFullTextOff = (pool: Pool): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query(LOCK_TIMEOUT);
    await client.query('delete from full_text_switch');
    await client.query('truncate full_text_segments, full_text_postings');
  });

export interface FullTextStatus {
  is_on: boolean;
  /** Indexed events, and runs that were started later for one. */
  documents: number;
  /** Events that are still to be indexed; counted up to a million. */
  waiting: number;
  bytes: number;
}

const MAX_COUNTED = 1_000_000;

const idAt = (ms: string): string => `(lpad(to_hex(${ms}), 12, '0') || '00000000000000000000')::uuid`;

/** Those before the first segment, those after the last one, and those in segments that are indexed again. */
const STATUS = `
with workspace as (
  select w.id, (select s.from_ms from full_text_segments s where s.workspace_id = w.id order by s.from_ms limit 1) as first_ms,
    (select s.to_ms from full_text_segments s where s.workspace_id = w.id order by s.from_ms desc limit 1) as last_ms
  from workspaces w
), span as (
  select id, 0 as from_ms, first_ms as to_ms from workspace where first_ms > 0
  union all select id, coalesce(last_ms, 0), 281474976710655 from workspace
  union all select workspace_id, from_ms, to_ms from full_text_segments where documents is null
), waiting as (
  select from span cross join lateral (
    select from events e
    where (e.workspace_id, e.id) >= (span.id, ${idAt('span.from_ms')}) and (e.workspace_id, e.id) < (span.id, ${idAt('span.to_ms')})
    limit ${MAX_COUNTED}) e
  limit ${MAX_COUNTED}
)
select exists (${IS_ON}) as is_on, (select coalesce(sum(documents), 0)::int from full_text_segments) as documents,
  (select count(*)::int from waiting) as waiting,
  (pg_total_relation_size('full_text_segments') + pg_total_relation_size('full_text_postings'))::float8 as bytes`;

/** How far it is. */
export async function readFullTextStatus(db: Queryable): Promise<FullTextStatus> {
  const { rows } = await db.query<FullTextStatus>(STATUS);
  return rows[0] ?? { is_on: false, documents: 0, waiting: 0, bytes: 0 };
}
