import type { Queryable } from '#lib/core/db/client.ts';
import { forgetEvents } from '#lib/events/full-text/forget.ts';
import {
  type Batch,
  listById,
  type Part,
  type RemovalContext,
  type Selection,
  type Weight,
} from './parts.ts';

const list = listById('events');

interface EventRow {
  id: string;
  workflow_id: string | null;
  is_needed: boolean;
}

/**
 * @param needs SQL condition of a run `r` that still needs its event. An event has its first run, and those that were
 *   started for it later: retries and runs of the draft, which have an index.
 */
const findSql = (needs: string): string => `
select e.id, e.workflow_id, exists (select from runs r where r.id = e.run_id and ${needs})
  or exists (select from runs r where r.event_id = e.id and (r.retry_of is not null or r.version < 0) and ${needs}) as is_needed
from events e where e.id = any($1::uuid[]) and e.workspace_id = $2`;

const LOCK = `select id from events where id = any($1::uuid[]) and workspace_id = $2 order by id for update skip locked`;

/** Starting another run for an event locks it first (lib/engine/store/start-again.ts), so it is locked before it is read. */
const selectWith =
  (needs: string): NonNullable<Part['select']> =>
  async (
    db: Queryable,
    { samples }: RemovalContext,
    { workspaceId, keys, lock }: Batch & { lock: boolean },
  ): Promise<Selection> => {
    const free = lock
      ? new Set((await db.query<{ id: string }>(LOCK, [keys, workspaceId])).rows.map(({ id }) => id))
      : new Set(keys);
    const { rows } = await db.query<EventRow>(findSql(needs), [keys, workspaceId]);
    await samples.load(
      db,
      rows.map((row) => row.workflow_id),
    );
    const isDue = (row: EventRow): boolean =>
      free.has(row.id) && !row.is_needed && !samples.has({ workflowId: row.workflow_id, eventId: row.id });
    const due = new Set(rows.filter(isDue).map(({ id }) => id));
    return {
      removable: keys.filter((id) => due.has(id)),
      kept: rows.map(({ id }) => id).filter((id) => !due.has(id)),
    };
  };

/** Not the size that it has when it is read: what is written is what is stored, compressed. */
const MEASURE = `
select id as key, 0 as rows, (coalesce(pg_column_size(body), 0) + pg_column_size(headers))::float8 as bytes
from events where id = any($1::uuid[])`;

async function measure(db: Queryable, keys: readonly string[]): Promise<Map<string, Weight>> {
  const { rows } = await db.query<Weight & { key: string }>(MEASURE, [keys]);
  return new Map(rows.map(({ key, rows: count, bytes }) => [key, { rows: count, bytes }]));
}

/** What customers wrote goes with the body that has it. */
const FORGET_WORDS = 'delete from received_words where event_id = any($1::uuid[])';

const CLEAR = `
update events set body = null, headers = '{}', body_removed_at = now()
where id = any($1::uuid[]) and body_removed_at is null`;

/** Bodies and headers of events: of those that have runs, after the contents of all of these. */
export const EVENT_BODIES: Part = {
  name: 'event_bodies',
  list,
  select: selectWith('r.contents_removed_at is null'),
  measure,
  async remove(db, { files }, { workspaceId, keys }) {
    await files.ofEvents(db, keys);
    await db.query(FORGET_WORDS, [keys]);
    await forgetEvents(db, workspaceId, keys);
    return (await db.query(CLEAR, [keys])).rowCount ?? 0;
  },
};

/** Events, after all of their runs. */
export const EVENTS: Part = {
  name: 'events',
  list,
  select: selectWith('true'),
  measure,
  async remove(db, { files }, { workspaceId, keys }) {
    await files.ofEvents(db, keys);
    await db.query(FORGET_WORDS, [keys]);
    await forgetEvents(db, workspaceId, keys);
    await db.query('delete from search_keys where event_id = any($1::uuid[])', [keys]);
    return (await db.query('delete from events where id = any($1::uuid[])', [keys])).rowCount ?? 0;
  },
};
