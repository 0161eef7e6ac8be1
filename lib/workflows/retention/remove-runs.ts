import { inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { forgetRuns } from '#lib/events/full-text/forget.ts';
import {
  type Batch,
  listById,
  MAX_WEIGHT,
  type Part,
  type RemovalContext,
  type Selection,
  type Weight,
} from './parts.ts';

const list = listById('runs');

interface RunRow {
  id: string;
  workflow_id: string;
  event_id: string;
  is_open: boolean;
}

const FOUND = `
select id, workflow_id, event_id, ${isOpenRunSql('status')} as is_open from runs
where id = any($1::uuid[]) and workspace_id = $2`;

/** Ended runs only change when a member retries them: then they are locked, and read again in the next pass. */
const LOCKED = `select id from (${FOUND} order by id for update skip locked) found where not is_open`;

/** Open runs stay, and the runs of samples. */
async function select(
  db: Queryable,
  { samples }: RemovalContext,
  { workspaceId, keys, lock }: Batch & { lock: boolean },
): Promise<Selection> {
  const { rows } = await db.query<RunRow>(FOUND, [keys, workspaceId]);
  await samples.load(
    db,
    rows.map((row) => row.workflow_id),
  );
  const isDue = (row: RunRow): boolean =>
    !row.is_open && !samples.has({ workflowId: row.workflow_id, eventId: row.event_id });
  const due = rows.filter(isDue).map(({ id }) => id);
  const free = lock
    ? new Set((await db.query<{ id: string }>(LOCKED, [due, workspaceId])).rows.map(({ id }) => id))
    : new Set(due);
  const found = new Set(rows.map(({ id }) => id));
  return {
    removable: keys.filter((id) => free.has(id)),
    kept: keys.filter((id) => found.has(id) && !free.has(id)),
  };
}

const sizeOf = (columns: readonly string[]): string =>
  columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ');

/** Of the task runs of each run, those that match a condition. */
const measureWhere =
  (condition: string): NonNullable<Part['measure']> =>
  async (db, keys) => {
    const { rows } = await db.query<Weight & { key: string }>(
      `select run_id as key, count(*)::int as rows, sum(${sizeOf(['output', 'state', 'items', 'error'])})::float8 as bytes
       from task_runs where run_id = any($1::uuid[]) and (${condition}) group by run_id`,
      [keys],
    );
    return new Map(rows.map(({ key, rows: count, bytes }) => [key, { rows: count, bytes }]));
  };

const MARK = `
update runs set contents_removed_at = now(), answer = null where id = any($1::uuid[]) and contents_removed_at is null`;

const HEAVY = 'output is not null or state is not null or items is not null';
const CLEAR = `
update task_runs set output = null, state = null, items = null where run_id = any($1::uuid[]) and (${HEAVY})`;

/** Some rows of one run. A row may be large, so fewer than `MAX_WEIGHT` has. */
const CHUNK = MAX_WEIGHT.rows / 4;
const SOME = `select run_id, task_id, iteration from task_runs where run_id = $1`;
const CLEAR_SOME = `
update task_runs set output = null, state = null, items = null
where (run_id, task_id, iteration) in (${SOME} and (${HEAVY}) limit ${CHUNK})`;
const DELETE_SOME = `delete from task_runs where (run_id, task_id, iteration) in (${SOME} limit ${CHUNK})`;

/**
 * Removes task runs of a run that has very many. The run is marked first, in the same transaction: no worker may resume it without
 * them.
 */
const shrinkWith =
  (statement: string): NonNullable<Part['shrink']> =>
  (ctx, { workspaceId, key }) =>
    inTransaction(ctx.pool, async (client) => {
      const { removable } = await select(client, ctx, { workspaceId, keys: [key], lock: true });
      if (removable.length === 0) return;
      await ctx.files.ofRuns(client, removable);
      await client.query(MARK, [removable]);
      await client.query(statement, [key]);
    });

/** The outputs of task runs, and what they remember. The task runs themselves stay, with their texts and errors. */
export const RUN_BODIES: Part = {
  name: 'run_bodies',
  list,
  select,
  measure: measureWhere(HEAVY),
  shrink: shrinkWith(CLEAR_SOME),
  async remove(db, { files }, { keys }) {
    await files.ofRuns(db, keys);
    await db.query(CLEAR, [keys]);
    return (await db.query(MARK, [keys])).rowCount ?? 0;
  },
};

const DELETE_OF_RUNS = [
  'delete from task_runs where run_id = any($1::uuid[])',
  'delete from signal_waits where run_id = any($1::uuid[])',
  'delete from run_claims where run_id = any($1::uuid[])',
  'delete from draft_runs where run_id = any($1::uuid[])',
  'delete from undelivered_runs where run_id = any($1::uuid[])',
  'delete from run_calls where run_id = any($1::uuid[])',
  'delete from burst_events where run_id = any($1::uuid[])',
];

/** Runs with all that belongs to them. Their messages have their own retention. */
export const RUNS: Part = {
  name: 'runs',
  list,
  select,
  measure: measureWhere('true'),
  shrink: shrinkWith(DELETE_SOME),
  async remove(db, { files }, { workspaceId, keys }) {
    await files.ofRuns(db, keys);
    await forgetRuns(db, workspaceId, keys);
    for (const statement of DELETE_OF_RUNS) await db.query(statement, [keys]);
    return (await db.query('delete from runs where id = any($1::uuid[])', [keys])).rowCount ?? 0;
  },
};
