// The operator's switch (`patchbay search`), and how far the index is.
import { sql } from 'drizzle-orm';
import { type Database, queryRows, type Queryable } from '#lib/core/db/client.ts';
import { lowestIdSql } from '#lib/core/ids.ts';
import { COMMAND_LINE, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';

export const isFullTextOn = async (db: Queryable): Promise<boolean> =>
  (await db.query('select from full_text_switch')).rows.length > 0;

/** Workers begin to index what there is, from the newest event on, and what arrives from now on. */
export const switchFullTextOn = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.execute(
      sql`insert into full_text_switch default values on conflict do nothing`,
    );
    if (rowCount) await record(tx, 'full_text.enabled');
  });

/** Removes the index at once, also from the disk, when the worker and the searches that use it have ended. */
export const switchFullTextOff = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    // Searches that come in the meantime wait for it, too.
    await tx.execute(sql`set local lock_timeout = '5s'`);
    const { rowCount } = await tx.execute(sql`delete from full_text_switch`);
    await tx.execute(sql`truncate full_text_segments, full_text_postings`);
    if (rowCount) await record(tx, 'full_text.disabled');
  });

async function record(tx: Transaction, action: string): Promise<void> {
  const workspaceId = await findFirstWorkspace(tx);
  if (workspaceId !== null) await recordAudit({ workspaceId, actor: COMMAND_LINE }, tx, action);
}

export interface FullTextStatus {
  is_on: boolean;
  /** Events that are indexed, with runs that were started later for one. */
  indexed: number;
  /** Events that are still to be indexed; counted up to a million. */
  waiting: number;
  /** Of the index. */
  bytes: number;
}

export const MAX_COUNTED = 1_000_000;

/** While it is on, counts those before the first segment, those after the last one, and those in segments that are indexed again. */
const STATUS = sql.raw(`
with workspace as (
  select w.id, (select s.from_ms from full_text_segments s where s.workspace_id = w.id order by s.from_ms limit 1) as first_ms,
    (select s.to_ms from full_text_segments s where s.workspace_id = w.id order by s.from_ms desc limit 1) as last_ms
  from workspaces w
), span as (
  select id, 0 as from_ms, first_ms as to_ms from workspace where first_ms > 0
  union all select workspace.id, coalesce(last_ms, 0), 281474976710655 from workspace cross join full_text_switch
  union all select workspace_id, from_ms, to_ms from full_text_segments where documents is null
), waiting as (
  select from span cross join lateral (
    select from events e
    where e.workspace_id = span.id and e.id >= ${lowestIdSql('span.from_ms')} and e.id < ${lowestIdSql('span.to_ms')}
    limit ${MAX_COUNTED}) e
  limit ${MAX_COUNTED}
)
select exists (select from full_text_switch) as is_on, (select count(*)::int from waiting) as waiting,
  (select coalesce(sum(documents), 0)::float8 from full_text_segments) as indexed,
  (pg_total_relation_size('full_text_segments') + pg_total_relation_size('full_text_postings'))::float8 as bytes`);

/** How far it is. */
export async function readFullTextStatus(db: { $client: Queryable }): Promise<FullTextStatus> {
  const [row] = await queryRows<FullTextStatus>(db, STATUS);
  return row ?? { is_on: false, indexed: 0, waiting: 0, bytes: 0 };
}
