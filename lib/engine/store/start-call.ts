// Calls: a task starts a run of another workflow, and waits for its end (docs/engine.md, "Calls").
import { databaseOn, type Pool, type Queryable, untilNoDeadlock } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { type DraftRunOptions, draftRevisionOf, versionOfTest } from '../draft-run.ts';
import type { RunStatus } from '../run-types.ts';
import { draftRuns } from '../schema/drafts.ts';
import { RunLostError } from '../task-executor.ts';
import { addAdvanceJob } from './advance-job.ts';
import { ENTER_CALLED_AND_ENQUEUE } from './run-lines.ts';
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
export function startCall(pool: Pool, call: NewCall): Promise<CallStart> {
  return untilNoDeadlock(pool, async (client) => {
    const known = await findKnown(client, call);
    if (known) return known;
    const runId = await lockWait(client, call);
    return (await findKnown(client, call, runId)) ?? start(client, call, runId);
  });
}

const LEND = `select ${addAdvanceJob('json_agg(opened)')} from lend_place($1::uuid) opened having count(*) > 0`;

/**
 * The called run waits for its turn, and its caller for it: others take the caller's place at the gate of the workspace, because the turn may
 * depend on them (docs/engine.md, "Gates").
 */
async function lendPlace(client: Queryable, runId: string): Promise<void> {
  await client.query({ name: 'lend_place', text: LEND, values: [runId] });
}

/** SQL: the newest wait of a task run, $1 to $3, for the end of a run that it calls. */
const WAIT = `
select w.id from signal_waits w where w.run_id = $1 and w.task_id = $2 and w.iteration = $3 and w.key ^@ '${CALL_KEYS}'
order by w.opened_at desc limit 1`;

const FIND = `
with found as (
  select r.id, r.status from run_calls c join runs r on r.id = c.run_id
  where c.caller_run_id = $1 and c.task_id = $2 and c.iteration = $3
    and (r.status not in ('failed', 'cancelled') or r.id = (${WAIT})) and ($4::uuid is null or r.id = $4)
  order by r.id desc limit 1 for update of r
), kept as (
  update run_calls c set is_awaited = $5 from found where c.run_id = found.id
)
select id, status from found`;

/** In the order of all locks, runs are locked before waits. @param id finds only this run */
async function findKnown(
  client: Queryable,
  { caller: { runId, taskId, iteration }, isAwaited }: NewCall,
  id: string | null = null,
): Promise<CallStart | undefined> {
  const values = [runId, taskId, iteration, id, isAwaited];
  const { rows } = await client.query<{ id: string; status: RunStatus }>({
    name: 'find_call',
    text: FIND,
    values,
  });
  const [found] = rows;
  if (!found) return undefined;
  if (isAwaited && found.status === 'queued') await lendPlace(client, found.id);
  return { kind: 'called', runId: found.id, status: found.status };
}

/** Its caller's cancellation deletes the wait: either it finds the run that is started here, or nothing is started. */
async function lockWait(
  client: Queryable,
  { caller: { runId, taskId, iteration } }: NewCall,
): Promise<string> {
  const values = [runId, taskId, iteration];
  const text = `${WAIT} for update`;
  const { rows } = await client.query<{ id: string }>({ name: 'lock_call_wait', text, values });
  if (!rows[0]) throw new RunLostError('The run waits for no call any more.');
  return rows[0].id;
}

interface Caller {
  version: number;
  depth: number;
  options: DraftRunOptions | null;
}

const CALLER = `
select r.version, coalesce(c.depth, 0) + 1 as depth, d.options from runs r
left join run_calls c on c.run_id = r.id left join draft_runs d on d.run_id = r.id
where r.id = $1 and r.workspace_id = $2`;

async function start(client: Queryable, call: NewCall, runId: string): Promise<CallStart> {
  const values = [call.caller.runId, call.workspaceId];
  const { rows } = await client.query<Caller>({ name: 'read_caller', text: CALLER, values });
  const [caller] = rows;
  if (!caller) throw new RunLostError('The calling run was removed.');
  const { version, depth, options } = caller;
  if (depth > MAX_CALL_DEPTH) return { kind: 'too_deep' };
  const isTest = draftRevisionOf(version) !== null;
  const inserted = await insertRun(client, call, { runId, depth, isTest });
  if (!inserted) return { kind: 'changed' };
  if (isTest) await captureAll(client, call, runId, options);
  else if (call.isAwaited && inserted.has_turn !== true) await lendPlace(client, runId);
  return { kind: 'called', runId, status: 'queued' };
}

/** Without a line and a gate, none is locked. @param enqueue CTEs after `run`, and the result */
const insertCall = (enqueue: string): string => `
with target as (
  select id, max_concurrent_runs is not null or holds_runs as has_gate from workflows where id = $1 and workspace_id = $2 and deleted_at is null
    and published_version = $3 and (active or holds_runs)
), new_event as (
  insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body, run_id)
  select $4::uuid, $2, id, $5, $6, now(), '{"content-type":"application/json"}', $7::bytea, $8::uuid from target
), new_call as (
  insert into run_calls (run_id, workspace_id, caller_run_id, task_id, iteration, depth, is_awaited)
  select $9::uuid, $2, $10::uuid, $11::int, $12, $13::int, $14 from target
), run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, line)
  select $9, $2, id, $15::int, $4, now(), coalesce($16::uuid, id) from target
  returning id, workflow_id, nullif(line, (select id from target where not has_gate)) as line
) ${enqueue}`;

const INSERT = { name: 'start_called_run', text: insertCall(ENTER_CALLED_AND_ENQUEUE) };
/** Runs of drafts are in no line. */
const INSERT_TEST = {
  name: 'start_called_test',
  text: insertCall(`select id, ${addAdvanceJob('json_build_array(id)')} as job from run`),
};

/** @returns whether the run has its turn; undefined where the workflow does not run this version now */
async function insertRun(
  client: Queryable,
  { workspaceId, workflowId, version, caller, searchKey, ...call }: NewCall,
  { runId, depth, isTest }: { runId: string; depth: number; isTest: boolean },
): Promise<{ has_turn?: boolean } | undefined> {
  const eventId = newId();
  const [kind, outcome, runOfEvent] = isTest ? ['test', 'tested', null] : ['call', 'triggered', runId];
  const values = [
    ...[workflowId, workspaceId, version],
    ...[eventId, kind, outcome, Buffer.from(call.body), runOfEvent],
    ...[runId, caller.runId, caller.taskId, caller.iteration, depth, call.isAwaited],
    ...[isTest ? versionOfTest(version) : version, isTest ? null : call.line],
  ];
  const { rows } = await client.query<{ has_turn?: boolean }>({
    ...(isTest ? INSERT_TEST : INSERT),
    values,
  });
  if (rows.length > 0 && searchKey !== undefined)
    await client.query(ADD_KEY, [eventId, workspaceId, searchKey]);
  return rows[0];
}

const ADD_KEY = 'insert into search_keys (event_id, workspace_id, key) values ($1, $2, $3)';

const COPY_VERSION = `
insert into workflow_versions (workflow_id, version, name, graph, sealed_by, created_by)
select workflow_id, $3::int, name, graph, sealed_by, created_by from workflow_versions where workflow_id = $1 and version = $2
on conflict do nothing`;

/** What a run of a draft may do outside, the runs that it calls may. */
async function captureAll(
  client: Queryable,
  { workspaceId, workflowId, version: published }: NewCall,
  runId: string,
  ofCaller: DraftRunOptions | null,
): Promise<void> {
  const version = versionOfTest(published);
  await client.query(COPY_VERSION, [workflowId, published, version]);
  const { sendTo = null, callsServices = false } = ofCaller ?? {};
  const options: DraftRunOptions = { sendTo, callsServices, refusals: {}, pins: {} };
  const db = databaseOn(client);
  await db.insert(draftRuns).values({ runId, workspaceId, workflowId, version, options });
  await pruneDraftRuns(db, workflowId);
}

/** A called run as its caller sees it. */
export interface CalledRun {
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
  pool: Pool,
  { runId, workspaceId }: { runId: string; workspaceId: string },
): Promise<CalledRun | undefined> {
  const { rows } = await pool.query<CalledRun>({
    name: 'look_at_call',
    text: LOOK,
    values: [runId, workspaceId],
  });
  return rows[0];
}

/** The called run continues without its caller: a cancellation of that one does not reach it any more. */
export async function detachCall(pool: Pool, runId: string): Promise<void> {
  const text = 'update run_calls set is_awaited = false, lender_run_id = null where run_id = $1';
  await pool.query({ name: 'detach_call', text, values: [runId] });
}
