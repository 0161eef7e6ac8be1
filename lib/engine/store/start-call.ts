// Calls: a task starts a run of another workflow, and waits for its end (docs/engine.md, "Calls").
import { sql } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { type DraftRunOptions, draftRevisionOf, versionOfTest } from '../draft-run.ts';
import type { RunStatus } from '../run-types.ts';
import { draftRuns } from '../schema/drafts.ts';
import { searchKeys } from '../schema/runs.ts';
import { RunLostError } from '../task-executor.ts';
import { addAdvanceJob } from './advance-job.ts';
import { ENTER_AND_ENQUEUE } from './run-lines.ts';
import { pruneDraftRuns } from './start-draft-run.ts';

/** Beginning of the keys of waits for the end of called runs; `return_calls` knows it. */
export const CALL_KEYS = 'call:';
/** The key of all such waits of a run; the wait's columns identify the task run. */
export const callKey = (callerRunId: string): string => `${CALL_KEYS}${callerRunId}`;

/** How deep calls may be nested; publishing refuses cycles. */
export const MAX_CALL_DEPTH = 10;

export interface NewCall {
  workspaceId: string;
  /** The task run that calls. */
  caller: { runId: string; taskId: number; iteration: string };
  workflowId: string;
  /** The published version that `line` and `searchKey` were read for. */
  version: number;
  line: string | null;
  searchKey: string | undefined;
  /** JSON text. */
  body: string;
  isAwaited: boolean;
}

export type CallStart =
  | { kind: 'called'; runId: string; status: RunStatus }
  /** Another version is published by now, or the workflow does not run. */
  | { kind: 'changed' }
  | { kind: 'too_deep' };

/**
 * Starts the called run, once for the wait that its caller has on record: its id is the wait's. A caller that was killed, or that two
 * workers execute, gets the same run. One that is retried takes over the run that it called before, unless that failed or was
 * cancelled.
 * @throws RunLostError when the wait has ended, because the caller was cancelled or has the run's end
 */
export function startCall(db: Database, call: NewCall): Promise<CallStart> {
  return db.transaction(async (tx) => {
    const known = await findKnown(tx, call);
    if (known) return known;
    const runId = await lockWait(tx, call);
    return (await findKnown(tx, call, runId)) ?? start(tx, call, runId);
  });
}

/** SQL: the newest wait of a caller's task run for the end of a run that it calls. */
const waitOf = ({ runId, taskId, iteration }: NewCall['caller']) => sql`
select w.id from signal_waits w where w.run_id = ${runId} and w.task_id = ${taskId} and w.iteration = ${iteration}
  and starts_with(w.key, ${CALL_KEYS}) order by w.opened_at desc limit 1`;

/** In the order of all locks, runs are locked before waits. @param id finds only this run */
async function findKnown(
  tx: Transaction,
  { caller, isAwaited }: NewCall,
  id: string | null = null,
): Promise<CallStart | undefined> {
  const { rows } = await tx.execute<{ id: string; status: RunStatus }>(sql`
select r.id, r.status from run_calls c join runs r on r.id = c.run_id
where c.caller_run_id = ${caller.runId} and c.task_id = ${caller.taskId} and c.iteration = ${caller.iteration}
  and (r.status not in ('failed', 'cancelled') or r.id = (${waitOf(caller)})) and (${id}::uuid is null or r.id = ${id})
order by r.id desc limit 1 for update of r`);
  const [row] = rows;
  if (!row) return undefined;
  await tx.execute(sql`update run_calls set is_awaited = ${isAwaited} where run_id = ${row.id}`);
  return { kind: 'called', runId: row.id, status: row.status };
}

/** Its caller's cancellation deletes the wait: either it finds the run that is started here, or nothing is started. */
async function lockWait(tx: Transaction, { caller }: NewCall): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`${waitOf(caller)} for update`);
  if (!rows[0]) throw new RunLostError('The run waits for no call any more.');
  return rows[0].id;
}

interface Caller extends Record<string, unknown> {
  version: number;
  depth: number;
  options: DraftRunOptions | null;
}

async function start(tx: Transaction, call: NewCall, runId: string): Promise<CallStart> {
  const { workspaceId, caller } = call;
  const { rows } = await tx.execute<Caller>(sql`
select r.version, coalesce(c.depth, 0) + 1 as depth, d.options from runs r
left join run_calls c on c.run_id = r.id left join draft_runs d on d.run_id = r.id
where r.id = ${caller.runId} and r.workspace_id = ${workspaceId}`);
  const [row] = rows;
  if (!row) throw new RunLostError('The calling run was removed.');
  if (row.depth > MAX_CALL_DEPTH) return { kind: 'too_deep' };
  const isTest = draftRevisionOf(row.version) !== null;
  if (!(await insertRun(tx, call, { runId, depth: row.depth, isTest }))) return { kind: 'changed' };
  if (isTest) await captureAll(tx, call, runId, row.options);
  return { kind: 'called', runId, status: 'queued' };
}

/** @returns false where the workflow does not run this version now */
async function insertRun(
  tx: Transaction,
  { workspaceId, workflowId, version, caller, ...call }: NewCall,
  { runId, depth, isTest }: { runId: string; depth: number; isTest: boolean },
): Promise<boolean> {
  const eventId = newId();
  const line = isTest ? null : call.line;
  const { rows } = await tx.execute(sql`
with target as (
  select id from workflows where id = ${workflowId} and workspace_id = ${workspaceId} and deleted_at is null
    and published_version = ${version} and (active or holds_runs)
), new_event as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
  select ${eventId}::uuid, ${workspaceId}::uuid, id, ${isTest ? 'test' : 'call'}, ${isTest ? 'tested' : 'triggered'}, now(),
    '{"content-type":"application/json"}', ${Buffer.from(call.body)}::bytea, case when ${isTest} then null else ${runId}::uuid end
  from target
), new_call as (
  insert into run_calls (run_id, workspace_id, caller_run_id, task_id, iteration, depth, is_awaited)
  select ${runId}::uuid, ${workspaceId}::uuid, ${caller.runId}::uuid, ${caller.taskId}, ${caller.iteration}, ${depth}, ${call.isAwaited}
  from target
), run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, line)
  select ${runId}::uuid, ${workspaceId}::uuid, id, ${isTest ? versionOfTest(version) : version}::int, ${eventId}::uuid, now(),
    coalesce(${line}::uuid, id)
  from target returning id, workflow_id, line
) ${isTest ? sql.raw(ENQUEUE) : sql.raw(ENTER_AND_ENQUEUE)}`);
  if (rows.length === 0) return false;
  if (call.searchKey !== undefined)
    await tx.insert(searchKeys).values({ eventId, workspaceId, key: call.searchKey });
  return true;
}

/** Runs of drafts are in no line. */
const ENQUEUE = `select id, ${addAdvanceJob('json_build_array(id)')} as job from run`;

/** What a run of a draft may do outside, the runs that it calls may. */
async function captureAll(
  tx: Transaction,
  { workspaceId, workflowId, version }: NewCall,
  runId: string,
  ofCaller: DraftRunOptions | null,
): Promise<void> {
  const testVersion = versionOfTest(version);
  await tx.execute(sql`
insert into workflow_versions (workflow_id, version, name, graph, sealed_by, created_by)
select workflow_id, ${testVersion}::int, name, graph, sealed_by, created_by from workflow_versions
where workflow_id = ${workflowId} and version = ${version}
on conflict do nothing`);
  const { sendTo = null, callsServices = false } = ofCaller ?? {};
  const options: DraftRunOptions = { sendTo, callsServices, refusals: {}, pins: {} };
  await tx.insert(draftRuns).values({ runId, workspaceId, workflowId, version: testVersion, options });
  await pruneDraftRuns(tx, workflowId);
}

/** A called run as its caller sees it. */
export interface CalledRun extends Record<string, unknown> {
  id: string;
  status: RunStatus;
  workflow_id: string;
  version: number;
  /** The workflow's. */
  name: string;
  error: { code: string; message: string } | null;
}

const LOOK = `
select r.id, r.status, r.workflow_id, r.version, r.error, coalesce((select w.name from workflows w where w.id = r.workflow_id), '') as name
from runs r where r.id = $1 and r.workspace_id = $2 for update of r`;

/** Reads a called run as of a moment after its caller's wait was recorded or closed; undefined: it was removed. */
export async function lookAtCall(
  db: Database,
  { runId, workspaceId }: { runId: string; workspaceId: string },
): Promise<CalledRun | undefined> {
  const { rows } = await db.$client.query<CalledRun>({
    name: 'look_at_call',
    text: LOOK,
    values: [runId, workspaceId],
  });
  return rows[0];
}

/** The called run continues without its caller: a cancellation of that one does not reach it any more. */
export async function detachCall(db: Database, runId: string): Promise<void> {
  const text = 'update run_calls set is_awaited = false where run_id = $1';
  await db.$client.query({ name: 'detach_call', text, values: [runId] });
}
