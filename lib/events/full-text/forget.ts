import type { Queryable } from '#lib/core/db/client.ts';
import { createdAtMs } from '#lib/core/ids.ts';

/** Locks them first, so that one that is being written is removed, too. */
const TOUCH = `
with touched as (
  select s.workspace_id, s.from_ms from unnest($2::bigint[]) as document(ms) cross join lateral (
    select workspace_id, from_ms, to_ms from full_text_segments
    where (workspace_id, from_ms) <= ($1, document.ms) and (workspace_id, from_ms) >= ($1, 0)
    order by workspace_id desc, from_ms desc limit 1
  ) s where document.ms < s.to_ms
), locked as (
  select s.workspace_id, s.from_ms from full_text_segments s
  where (s.workspace_id, s.from_ms) in (select workspace_id, from_ms from touched) order by s.workspace_id, s.from_ms for update
)
update full_text_segments s set documents = null, ids = null, version = s.version + 1, changed_at = now()
from locked where s.workspace_id = locked.workspace_id and s.from_ms = locked.from_ms
returning s.id`;
export const DELETE_POSTINGS = 'delete from full_text_postings where segment_id = any($1::bigint[])';
/** SQL: runs that were started later for an event have its text, too. */
export const IS_LATER = '(retry_of is not null or version < 0)';
const RUNS_OF_EVENTS = `select id from runs where event_id = any($1::uuid[]) and ${IS_LATER}`;
const RUNS_OF_IDS = `select id from runs where id = any($1::uuid[]) and ${IS_LATER}`;

/**
 * Removes what was indexed together with texts that are removed, in the same transaction. What stays of it is indexed again
 * by a worker; until then searches read it as where full text is off.
 */
export async function forgetEvents(
  client: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (!(await hasSegments(client))) return;
  const { rows } = await client.query<{ id: string }>(RUNS_OF_EVENTS, [ids]);
  await forget(client, workspaceId, [...ids, ...rows.map(({ id }) => id)]);
}

/** The same of runs that are removed, whose events may be removed later. */
export async function forgetRuns(
  client: Queryable,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  if (!(await hasSegments(client))) return;
  const { rows } = await client.query<{ id: string }>(RUNS_OF_IDS, [ids]);
  await forget(
    client,
    workspaceId,
    rows.map(({ id }) => id),
  );
}

const hasSegments = async (client: Queryable): Promise<boolean> =>
  (await client.query('select from full_text_segments limit 1')).rows.length > 0;

async function forget(client: Queryable, workspaceId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await client.query<{ id: string }>(TOUCH, [
    workspaceId,
    [...new Set(ids.map(createdAtMs))],
  ]);
  await client.query(DELETE_POSTINGS, [rows.map(({ id }) => id)]);
}
