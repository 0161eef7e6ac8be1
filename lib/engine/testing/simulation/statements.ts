// What each of the engine's statements does, on tables in memory. simulation.db.test.ts plays the same statements on
// PostgreSQL and compares every answer.
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';
import { HOUSEKEEPING_TASK } from '#lib/engine/queue/housekeeping-job.ts';
import type { JobTask } from '#lib/engine/queue/job-table.ts';
import { type JobRow, type RunRow, taskRunKey, type TaskRunRow, Tables } from './tables.ts';

/** Protections that a test takes out, to see that the simulation finds it. */
export type Sabotage = 'epochs' | 'side_effects' | 'heartbeats' | 'giving_back';

export interface Moment {
  tables: Tables;
  nowMs: number;
  sabotage: Sabotage | undefined;
  /** Told of every change of a task run's status. */
  onTaskRun: (runId: string, before: TaskRunRow | undefined, after: TaskRunRow) => void;
  notify: (channel: string) => void;
}

type Row = Record<string, unknown>;
// oxlint-disable-next-line
type Values = any[];

const HEARTBEAT_MS = HEARTBEAT_TIMEOUT_SECONDS * 1000;
const MAX_ATTEMPTS = 25;
const JOBS_CHANNEL = 'jobs:insert';

/** The statements by their names. */
export const STATEMENTS: Record<string, (moment: Moment, values: Values) => Row[]> = {
  start_runs: startRuns,
  take_runs: takeRuns,
  held_unclaimed: ({ tables }, [runIds, workerId]) => [
    {
      held: runIds.some((id: string) => {
        const run = tables.runs.get(id);
        if (run?.status !== 'running' || run.worker_id === workerId) return false;
        return run.worker_id !== null && tables.claims.get(id) !== run.worker_id;
      }),
    },
  ],
  load_version: ({ tables }, [workflowId]) =>
    [...tables.workflows.values()]
      .filter(({ id }) => id === workflowId)
      .map(({ graph }) => ({ name: 'Workflow', graph })),
  load_task_runs: loadTaskRuns,
  load_items: ({ tables }, [runId, taskId, iteration]) => {
    const found = tables.taskRuns.get(runId)?.get(taskRunKey(taskId, iteration));
    return found ? [{ items: found.items }] : [];
  },
  write_runs: writeRuns,
  write_runs_with_signals: writeRuns,
  claim_runs: ({ tables }, [runIds, workerId]) => {
    for (const id of runIds) tables.claims.set(id, workerId);
    return [];
  },
  release_runs: ({ tables }, [runIds, workerId]) => {
    for (const id of runIds) if (tables.claims.get(id) === workerId) tables.claims.delete(id);
    return [];
  },
  take_jobs: takeJobs,
  end_jobs: endJobs,
  unlock_jobs: ({ tables }, [lockId, ids]) => {
    for (const job of tables.jobs.values())
      if (job.locked_by === lockId && !ids.includes(job.id)) unlock(job, Math.max(0, job.attempts - 1));
    return [];
  },
  beat: ({ tables, nowMs }, [id, , jobPoolId]) => {
    tables.processes.set(id, { id, job_pool_id: jobPoolId, heartbeat_at: nowMs });
    return [];
  },
  give_back: giveBack,
  give_back_strays: giveBackStrays,
  add_job_for_all_runs: (moment) => {
    const runIds = [...moment.tables.runs.keys()];
    if (runIds.length > 0) addAdvanceJob(moment, runIds);
    return [];
  },
  add_housekeeping: (moment) => {
    const isThere = [...moment.tables.jobs.values()].some(({ task }) => task === HOUSEKEEPING_TASK);
    if (!isThere) addJob(moment, HOUSEKEEPING_TASK, {}, moment.nowMs);
    return [];
  },
};

function addJob({ tables, notify }: Moment, task: JobTask, payload: unknown, runAtMs: number): void {
  const id = String(tables.jobsMade + 1);
  tables.jobsMade += 1;
  tables.jobs.set(id, { id, task, payload, run_at: runAtMs, attempts: 0, locked_by: null, locked_at: null });
  notify(JOBS_CHANNEL);
}

const addAdvanceJob = (moment: Moment, runIds: string[], runAtMs = moment.nowMs): void =>
  addJob(moment, ADVANCE_TASK, { run_ids: runIds }, runAtMs);

function startRuns(moment: Moment, values: Values): Row[] {
  const { tables } = moment;
  const [blob, eventIds, runIds, tokenHashes, , , headersAt, headersBytes, bodyAt, bodyBytes] = values;
  const cut = (at: number, length: number): string => blob.subarray(at - 1, at - 1 + length).toString('utf8');
  const started: string[] = [];
  const rows: Row[] = [];
  eventIds.forEach((eventId: string, index: number) => {
    const workflow = tables.workflows.get(tokenHashes[index].toString('hex'));
    if (!workflow) return;
    tables.events.set(eventId, {
      headers: JSON.parse(cut(headersAt[index], headersBytes[index])),
      body: cut(bodyAt[index], bodyBytes[index]),
    });
    tables.runs.set(runIds[index], {
      id: runIds[index],
      workspace_id: workflow.workspace_id,
      workflow_id: workflow.id,
      version: workflow.published_version,
      event_id: eventId,
      status: 'queued',
      epoch: 0,
      worker_id: null,
      awaited: workflow.answers_after_run,
      answer: null,
      error: null,
      resume_at: null,
      finished_at: null,
    });
    started.push(runIds[index]);
    const { trigger_task_id } = workflow;
    rows.push({ place: index + 1, outcome: 'triggered', trigger_task_id, is_published: true });
  });
  if (started.length > 0) addAdvanceJob(moment, started);
  return rows;
}

const isAlive = ({ nowMs, sabotage }: Moment, heartbeatAt: number): boolean =>
  sabotage !== 'heartbeats' && heartbeatAt > nowMs - HEARTBEAT_MS;

function takeRuns(moment: Moment, [runIds, workerId, known]: Values): Row[] {
  const { tables, nowMs } = moment;
  const isHeldByAnother = ({ worker_id }: RunRow): boolean => {
    const holder = tables.processes.get(worker_id ?? '');
    return holder !== undefined && holder.id !== workerId && isAlive(moment, holder.heartbeat_at);
  };
  const rows: Row[] = [];
  for (const id of new Set<string>(runIds)) {
    const run = tables.runs.get(id);
    const event = run && tables.events.get(run.event_id);
    if (!run || !event) continue;
    const isDue =
      run.status === 'queued' ||
      (run.status === 'waiting' && run.resume_at !== null && run.resume_at <= nowMs + 20) ||
      (run.status === 'running' && !isHeldByAnother(run));
    if (!isDue) continue;
    Object.assign(run, { status: 'running', epoch: run.epoch + 1, worker_id: workerId, resume_at: null });
    rows.push({
      id,
      epoch: run.epoch,
      workspace_id: run.workspace_id,
      workflow_id: run.workflow_id,
      version: run.version,
      awaits_answer: run.awaited && run.answer === null,
      body: known.includes(id) ? null : event.body,
      headers: event.headers,
    });
  }
  return rows;
}

const toDate = (atMs: number | null): Date | null => (atMs === null ? null : new Date(atMs));

function loadTaskRuns({ tables }: Moment, [runId, taskIds, iterations]: Values): Row[] {
  const found = tables.taskRuns.get(runId);
  const rows: Row[] = [];
  taskIds.forEach((taskId: number, index: number) => {
    const row = found?.get(taskRunKey(taskId, iterations[index]));
    if (!row) return;
    const { items, started_at, finished_at, resume_at, ...rest } = row;
    rows.push({
      ...structuredClone(rest),
      has_items: items !== null,
      started_at: toDate(started_at),
      finished_at: toDate(finished_at),
      resume_at: toDate(resume_at),
    });
  });
  return rows;
}

const parse = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

function writeRuns(moment: Moment, values: Values): Row[] {
  const { tables, sabotage } = moment;
  const [runIds, epochs, statuses, errors, answers, resumeAts, finishedAts, ...taskRuns] = values;
  const owned = new Set<string>();
  runIds.forEach((id: string, index: number) => {
    const run = tables.runs.get(id);
    if (run?.status !== 'running' || (run.epoch !== epochs[index] && sabotage !== 'epochs')) return;
    owned.add(id);
    run.status = statuses[index] ?? run.status;
    run.error = parse(errors[index]);
    run.answer = parse(answers[index]) ?? run.answer;
    run.resume_at = resumeAts[index];
    run.finished_at = finishedAts[index];
    if (run.resume_at !== null) addAdvanceJob(moment, [id], run.resume_at);
  });
  taskRuns[0].forEach((runId: string, index: number) => {
    if (owned.has(runId)) writeTaskRun(moment, runId, toTaskRunRow(taskRuns, index));
  });
  return [...owned].map((id) => ({ id }));
}

function toTaskRunRow(columns: Values, index: number): TaskRunRow {
  const at = (column: number) => columns[column][index];
  return {
    task_id: at(1),
    iteration: at(2),
    status: at(3),
    branch: at(4),
    run_text: at(5),
    output: at(6),
    error: parse(at(7)),
    attempt: at(8),
    attempts: parse(at(9)),
    state: at(10),
    items: at(11),
    started_at: at(12),
    finished_at: at(13),
    resume_at: at(14),
  };
}

function writeTaskRun({ tables, sabotage, onTaskRun }: Moment, runId: string, row: TaskRunRow): void {
  const rows = tables.taskRunsOf(runId);
  const key = taskRunKey(row.task_id, row.iteration);
  const before = rows.get(key);
  row.items ??= before?.items ?? null;
  if (sabotage === 'side_effects' && row.state?.includes('in_flight')) row.state = null;
  onTaskRun(runId, before, row);
  rows.set(key, row);
}

function takeJobs({ tables, nowMs }: Moment, [lockId, limit, tasks]: Values): Row[] {
  const due = [...tables.jobs.values()]
    .filter((job) => job.locked_at === null && job.attempts < MAX_ATTEMPTS)
    .filter((job) => job.run_at <= nowMs && tasks.includes(job.task))
    .toSorted((a, b) => a.run_at - b.run_at)
    .slice(0, limit);
  return due.map((job) => {
    Object.assign(job, { locked_by: lockId, locked_at: nowMs });
    job.attempts = Math.min(job.attempts + 1, MAX_ATTEMPTS - 1);
    return { id: job.id, failures: job.attempts - 1, payload: job.payload, task: job.task };
  });
}

function unlock(job: JobRow, attempts: number): void {
  Object.assign(job, { locked_by: null, locked_at: null, attempts });
}

function endJobs({ tables, nowMs }: Moment, [lockId, ids, delays, failures]: Values): Row[] {
  ids.forEach((id: string, index: number) => {
    const job = tables.jobs.get(id);
    if (job?.locked_by !== lockId) return;
    if (delays[index] === null) {
      tables.jobs.delete(id);
    } else {
      unlock(job, Math.min(failures[index], MAX_ATTEMPTS - 1));
      job.run_at = nowMs + delays[index];
    }
  });
  return [];
}

function giveBack(moment: Moment, [id]: Values): Row[] {
  const { tables, nowMs, sabotage } = moment;
  const dead = [...tables.processes.values()].filter(
    (process) => process.id === id || process.heartbeat_at < nowMs - HEARTBEAT_MS,
  );
  for (const process of dead) tables.processes.delete(process.id);
  const pools = new Set(dead.flatMap((process) => process.job_pool_id ?? []));
  const workers = new Set(dead.map((process) => process.id));
  if (sabotage === 'giving_back') return [givenBack(0, 0)];
  unlockPools(tables, pools);
  return [givenBack(pools.size, requeue(moment, (worker) => workers.has(worker)))];
}

function giveBackStrays(moment: Moment): Row[] {
  const { tables, nowMs, sabotage } = moment;
  const live = [...tables.processes.values()].filter(
    (process) => process.heartbeat_at >= nowMs - HEARTBEAT_MS,
  );
  const workers = new Set(live.map((process) => process.id));
  const livePools = new Set(live.flatMap((process) => process.job_pool_id ?? []));
  if (sabotage === 'giving_back') return [givenBack(0, 0)];
  const pools = new Set<string>();
  for (const { locked_by, locked_at } of tables.jobs.values()) {
    if (locked_by === null || locked_at === null || livePools.has(locked_by)) continue;
    if (locked_at < nowMs - HEARTBEAT_MS) pools.add(locked_by);
  }
  unlockPools(tables, pools);
  return [givenBack(pools.size, requeue(moment, (worker) => !workers.has(worker)))];
}

const givenBack = (pools: number, runs: number): Row => ({ pools, runs });

function unlockPools(tables: Tables, pools: ReadonlySet<string>): void {
  for (const job of tables.jobs.values())
    if (job.locked_by !== null && pools.has(job.locked_by)) unlock(job, job.attempts);
}

/** @returns how many runs were given back. */
function requeue(moment: Moment, isGone: (workerId: string) => boolean): number {
  const { claims } = moment.tables;
  const orphans = [...claims].filter(([, worker]) => isGone(worker)).map(([runId]) => runId);
  for (const runId of orphans) claims.delete(runId);
  if (orphans.length > 0) addAdvanceJob(moment, orphans);
  return orphans.length;
}
