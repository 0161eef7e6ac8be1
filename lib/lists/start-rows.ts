// Starts the runs of a list at the rate of its number, and records how they ended. Rows and their runs are written in one
// transaction, so that a kill neither loses nor repeats one.
import { and, eq } from 'drizzle-orm';
import { databaseOver, inTransaction, type Queryable } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { loadGraphOfRun } from '#lib/engine/store/lock-run.ts';
import { resumeRun } from '#lib/engine/store/reopen-run.ts';
import { type Arrival, startRuns } from '#lib/engine/store/start-runs.ts';
import { findMarksOfBody } from '#lib/webhooks/find-line.ts';
import { toBody } from './plan-columns.ts';
import type { ListMapping } from './schema.ts';
import { findRate, type ListRuntime } from './sender.ts';
import { sendListRows } from './tables.ts';

/** So that no statement is large. */
const MAX_AT_ONCE = 500;
/** What a pause of the job does not make up for, in seconds. */
const MAX_BEHIND = 1;
/** Runs that may be open at once, in seconds of the rate: a pause takes effect as soon as these have ended. */
const AHEAD_SECONDS = 1.5;
/** Rows whose runs are read in one step. */
const SETTLED_AT_ONCE = 2000;
/** While no row is started, runs that wait for customers are read this often, in seconds. */
const SETTLE_SECONDS = 2;

interface StartedList {
  id: string;
  workspace_id: string;
  workflow_id: string;
  columns: string[];
  mapping: ListMapping;
  state: 'running' | 'paused' | 'stopped';
  connection_id: string | null;
  phone_number_id: string | null;
  behind: number;
  /** Lists that share the rate. */
  sharing: number;
  published_version: number | null;
  active: boolean;
  holds_runs: boolean;
  is_deleted: boolean;
  token_hash: Buffer | null;
}

interface WaitingRow {
  line: number;
  data: unknown[];
  run_id: string | null;
}

const LOCK = `
select l.id, l.workspace_id, l.workflow_id, l.columns, l.mapping, l.state, l.connection_id, l.phone_number_id,
  least(extract(epoch from now() - coalesce(l.paced_at, now()))::float8, ${MAX_BEHIND}) as behind,
  (select greatest(1, count(*))::int from send_lists o where o.state = 'running' and o.work_at is not null
     and o.workspace_id = l.workspace_id and o.phone_number_id is not distinct from l.phone_number_id) as sharing,
  w.published_version, w.active, w.holds_runs, w.deleted_at is not null as is_deleted, k.token_hash
from send_lists l join workflows w on w.id = l.workflow_id
left join webhook_tokens k on k.workflow_id = w.id and k.expires_at is null
where l.id = $1 and l.state in ('running', 'paused', 'stopped') for update of l`;

/** One step of a list that was started. */
export async function startRows(runtime: ListRuntime, id: string): Promise<void> {
  await settle(runtime, id);
  const resumed = await inTransaction(runtime.hot, async (client): Promise<WaitingRow[]> => {
    const { rows } = await client.query<StartedList>({ name: 'lock_list', text: LOCK, values: [id] });
    const [list] = rows;
    if (!list) return [];
    const open = await countOpen(client, id);
    if (list.state !== 'running') return end(client, list, open);
    const problem = findProblem(list);
    if (problem !== undefined) return pause(client, id, problem);
    const perSecond = (await findRate(runtime.hot, senderOf(list), runtime.platform.limits)) / list.sharing;
    const due = Math.min(
      MAX_AT_ONCE,
      Math.floor(list.behind * perSecond),
      Math.ceil(perSecond * AHEAD_SECONDS) - open.busy,
    );
    const waiting = await takeWaiting(client, id, Math.max(0, due));
    const fresh = waiting.filter(({ run_id: runId }) => runId === null);
    if (fresh.length > 0) await start(client, list, fresh);
    const hasMore = waiting.length > 0 || (await hasWaiting(client, id));
    if (!hasMore) return end(client, list, open);
    await client.query(
      `update send_lists set work_at = now() + interval '200 milliseconds',
         paced_at = now() - make_interval(secs => greatest(0, $2::float8)) where id = $1`,
      [id, due > 0 && waiting.length === due ? list.behind - due / perSecond : due > 0 ? 0 : list.behind],
    );
    return waiting.filter(({ run_id: runId }) => runId !== null);
  });
  for (const row of resumed) await resume(runtime, id, row);
}

const senderOf = ({ connection_id: connectionId, phone_number_id: phoneNumberId }: StartedList) =>
  connectionId === null ? undefined : { connectionId, phoneNumberId: phoneNumberId ?? undefined };

function findProblem({
  published_version: version,
  active,
  holds_runs: holds,
  is_deleted: isDeleted,
  token_hash: token,
}: StartedList): string | undefined {
  if (isDeleted) return 'Its workflow was deleted. Restore the workflow, then resume the list.';
  if (version === null || token === null)
    return 'Its workflow is not published. Publish it, then resume the list.';
  return active || holds ? undefined : 'Its workflow is paused. Resume the workflow, then the list.';
}

interface OpenRows {
  /** Rows whose runs have not ended. */
  all: number;
  /** Those that do not wait for a customer or a time. */
  busy: number;
}

async function countOpen(client: Queryable, id: string): Promise<OpenRows> {
  const { rows } = await client.query<OpenRows>({
    name: 'count_open_rows',
    text: `select count(*)::int as all, count(*) filter (where r.status in ('queued', 'running'))::int as busy
           from (select run_id from send_list_rows where list_id = $1 and state = 'running' order by list_id, state, line desc limit 5000) o
           left join runs r on r.id = o.run_id`,
    values: [id],
  });
  return rows[0] ?? { all: 0, busy: 0 };
}

async function takeWaiting(client: Queryable, id: string, count: number): Promise<WaitingRow[]> {
  if (count === 0) return [];
  const { rows } = await client.query<WaitingRow>({
    name: 'take_list_rows',
    text: `select line, data, run_id from send_list_rows where list_id = $1 and state = 'waiting'
           order by list_id, state, line limit $2 for update`,
    values: [id, count],
  });
  return rows;
}

async function hasWaiting(client: Queryable, id: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from send_list_rows where list_id = $1 and state = 'waiting' limit 1`,
    [id],
  );
  return rows.length > 0;
}

async function start(client: Queryable, list: StartedList, rows: readonly WaitingRow[]): Promise<void> {
  const receivedAt = new Date();
  const of = { workflowId: list.workflow_id, version: list.published_version ?? 0 };
  const arrivals: Arrival[] = [];
  for (const { data } of rows) {
    const body = Buffer.from(JSON.stringify(toBody(list.mapping, list.columns, data)));
    // Each row has its own run.
    const { burst: _, ...marks } = await findMarksOfBody(client, of, () => body, { headers: {}, receivedAt });
    arrivals.push({
      eventId: newId(),
      runId: newId(),
      tokenHash: list.token_hash as Buffer,
      kind: 'list',
      receivedAt,
      headers: {},
      body,
      refusal: null,
      ...marks,
    });
  }
  const admissions = await startRuns(client, arrivals);
  if (admissions.some((admission) => admission?.outcome !== 'triggered'))
    throw new Error(`A row of the list ${list.id} started no run.`);
  await client.query({
    name: 'start_list_rows',
    text: `update send_list_rows r set state = 'running', run_id = t.run_id
           from unnest($2::int[], $3::uuid[]) as t(line, run_id) where r.list_id = $1 and r.line = t.line`,
    values: [list.id, rows.map(({ line }) => line), arrivals.map(({ runId }) => runId)],
  });
}

/** Lets the failed run of a row continue. One that cannot be resumed stays failed. */
async function resume(
  { hot, db }: ListRuntime,
  listId: string,
  { line, run_id: runId }: WaitingRow,
): Promise<void> {
  const { rows } = await hot.query<{ workspace_id: string }>(
    'select workspace_id from send_lists where id = $1',
    [listId],
  );
  const ref = { id: runId ?? '', workspaceId: rows[0]?.workspace_id ?? '' };
  const ofRow = and(
    eq(sendListRows.listId, listId),
    eq(sendListRows.line, line),
    eq(sendListRows.state, 'waiting'),
  );
  try {
    const graph = await loadGraphOfRun(databaseOver(hot), ref);
    await db.transaction(async (tx) => {
      await resumeRun(tx, ref, graph);
      await tx.update(sendListRows).set({ state: 'running' }).where(ofRow);
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await db.update(sendListRows).set({ state: 'failed' }).where(ofRow);
  }
}

/** Records how runs ended, from the last row that was read, in turns. */
async function settle({ hot }: ListRuntime, id: string): Promise<void> {
  await hot.query({
    name: 'settle_list_rows',
    text: `with looked as (
             select o.line, o.run_id from send_lists l cross join lateral (
               select line, run_id from send_list_rows where list_id = l.id and state = 'running' and line > l.settled_line
               order by list_id, state, line limit ${SETTLED_AT_ONCE}
             ) o where l.id = $1
           ), ended as (
             update send_list_rows r set state = coalesce(e.status, 'cancelled') from (
               select k.line, runs.status from looked k left join runs on runs.id = k.run_id
               where runs.id is null or not (${isOpenRunSql('runs.status')})
             ) e where r.list_id = $1 and r.line = e.line and r.state = 'running'
           )
           update send_lists l set settled_line = next.line from (
             select case when count(*) = ${SETTLED_AT_ONCE} then max(line) else 0 end as line from looked
           ) next where l.id = $1 and l.settled_line <> next.line`,
    values: [id],
  });
}

async function pause(client: Queryable, id: string, problem: string): Promise<never[]> {
  await client.query(`update send_lists set state = 'paused', problem = $2, work_at = now() where id = $1`, [
    id,
    problem,
  ]);
  return [];
}

/** No row is started now: it continues while runs are open, then it has ended, or waits to be resumed. */
async function end(client: Queryable, { id, state }: StartedList, { all }: OpenRows): Promise<never[]> {
  const isOver = all === 0;
  await client.query(
    `update send_lists set work_at = case when $2 then null else now() + make_interval(secs => ${SETTLE_SECONDS}) end,
       state = case when $2 and state = 'running' then 'finished' else state end,
       ended_at = case when $2 and $3 <> 'paused' then now() else ended_at end, paced_at = now() where id = $1`,
    [id, isOver, state],
  );
  return [];
}
