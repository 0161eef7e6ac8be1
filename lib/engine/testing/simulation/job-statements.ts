// The queue's statements.
import { OVERTAKING, RUNS } from '#lib/core/queue/job-table.ts';
import { WAITED_MS } from '#lib/engine/queue/overtaking.ts';
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';
import type { Moment, Statement } from './moment.ts';
import type { JobRow } from './tables.ts';

const MAX_ATTEMPTS = 25;

function addJob(
  { tables, notify }: Moment,
  task: string,
  payload: unknown,
  runAtMs: number,
  { priority } = RUNS,
): void {
  const id = String(tables.jobsMade + 1);
  tables.jobsMade += 1;
  const unlocked = { attempts: 0, locked_by: null, locked_at: null };
  tables.jobs.set(id, { id, task, payload, priority, run_at: runAtMs, ...unlocked });
  notify();
}

export const addAdvanceJob = (
  moment: Moment,
  runIds: string[],
  runAtMs = moment.nowMs,
  isSignaled = false,
  lane = RUNS,
): void =>
  addJob(moment, ADVANCE_TASK, { run_ids: runIds, ...(isSignaled ? { signaled: true } : {}) }, runAtMs, lane);

type Taking = [lockId: string, limit: number, tasks: string[], priority: number, sinceSeconds: number | null];

export const takeJobs: Statement<Taking> = (
  { tables, nowMs },
  [lockId, limit, tasks, priority, sinceSeconds],
) => {
  const due = [...tables.jobs.values()]
    .filter((job) => job.locked_at === null && job.attempts < MAX_ATTEMPTS)
    .filter((job) => job.priority === priority && job.run_at <= nowMs && tasks.includes(job.task))
    .filter((job) => sinceSeconds === null || job.run_at >= nowMs - sinceSeconds * 1000)
    .toSorted((a, b) => a.run_at - b.run_at || compareRuns(a, b) || Number(a.id) - Number(b.id))
    .slice(0, limit);
  return due.map((job) => {
    Object.assign(job, { locked_by: lockId, locked_at: nowMs });
    job.attempts = Math.min(job.attempts + 1, MAX_ATTEMPTS - 1);
    const dueSeconds = Math.round((nowMs - job.run_at) * 1000) / 1e6;
    return { id: job.id, failures: job.attempts - 1, payload: job.payload, task: job.task, dueSeconds };
  });
};

/** The queue does not define the order of jobs with one due time: here, as in the replay, it is that of their runs. */
function compareRuns(...jobs: [JobRow, JobRow]): number {
  const [a, b] = jobs.map(({ payload }) => (payload as { run_ids?: string[] }).run_ids?.[0] ?? NO_RUN);
  return a === b ? 0 : (a ?? NO_RUN) < (b ?? NO_RUN) ? -1 : 1;
}

/** After the ids of all runs. */
const NO_RUN = 'none';

export function unlock(job: JobRow, attempts: number): void {
  Object.assign(job, { locked_by: null, locked_at: null, attempts });
}

type Ends = [lockId: string, ids: string[], delays: (number | null)[], failures: (number | null)[]];

export const endJobs: Statement<Ends> = ({ tables, nowMs }, [lockId, ids, delays, failures]) => {
  ids.forEach((id, index) => {
    const job = tables.jobs.get(id);
    if (!job || job.locked_by !== lockId) return;
    const delayMs = delays[index] ?? null;
    if (delayMs === null) {
      tables.jobs.delete(id);
    } else {
      unlock(job, Math.min(failures[index] ?? 0, MAX_ATTEMPTS - 1));
      job.run_at = nowMs + delayMs;
    }
  });
  return [];
};

export const unlockJobs: Statement<[lockId: string, ids: string[], priority: number]> = (
  { tables, sabotage },
  [lockId, ids, priority],
) => {
  if (sabotage === 'unlocking') return [];
  for (const job of tables.jobs.values())
    if (job.locked_by === lockId && job.priority === priority && !ids.includes(job.id))
      unlock(job, Math.max(0, job.attempts - 1));
  return [];
};

/** A recurring job, which exists once. */
export const addRecurringJob: Statement<[task: string]> = (moment, [task]) => {
  const isThere = [...moment.tables.jobs.values()].some((job) => job.task === task);
  if (!isThere) addJob(moment, task, {}, moment.nowMs);
  return [];
};

export const addJobForAllRuns: Statement<[]> = (moment) => {
  const runIds = [...moment.tables.runs.keys()];
  if (runIds.length > 0) addAdvanceJob(moment, runIds);
  return [];
};

/** Each look of the simulated worlds sees all jobs. */
export const findOthers: Statement<
  [workerId: string, since: Date | null, until: Date | null, served: string]
> = (moment, [workerId, since, until, served]) => {
  const { tables, nowMs } = moment;
  const untilMs = until?.getTime() ?? Math.floor(nowMs - WAITED_MS);
  const [first] = [...tables.processes.values()]
    .filter(({ heartbeat_at }) => heartbeat_at > nowMs - HEARTBEAT_TIMEOUT_SECONDS * 1000)
    .map(({ id }) => id)
    .toSorted();
  const workspaces = new Set([...tables.workflows.values()].map(({ workspace_id }) => workspace_id));
  const looked = first === workerId && workspaces.size > 1;
  const due = [...tables.jobs.values()]
    .filter(() => looked)
    .filter((job) => job.locked_at === null && job.attempts < MAX_ATTEMPTS && job.task === ADVANCE_TASK)
    .filter((job) => job.priority === RUNS.priority && job.run_at < untilMs)
    .filter((job) => since === null || job.run_at >= since.getTime());
  const others = new Map<string, { id: string; runAt: number }[]>();
  for (const job of due)
    for (const id of (job.payload as { run_ids: string[] }).run_ids) {
      const workspaceId = tables.runs.get(id)?.workspace_id;
      if (workspaceId === undefined || workspaceId === served) continue;
      others.set(workspaceId, [...(others.get(workspaceId) ?? []), { id, runAt: job.run_at }]);
    }
  const found = [...others].map(([workspace_id, runs]) => ({
    workspace_id,
    run_ids: runs.toSorted((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1)).map(({ id }) => id),
  }));
  return [
    {
      until: new Date(untilMs),
      looked,
      jobs: due.length,
      oldest: due.length > 0 ? new Date(Math.floor(Math.min(...due.map(({ run_at }) => run_at)))) : null,
      others: found.toSorted((a, b) => (a.workspace_id < b.workspace_id ? -1 : 1)),
    },
  ];
};

export const overtake: Statement<[jobs: string]> = (moment, [jobs]) => {
  for (const runIds of JSON.parse(jobs) as string[][])
    addAdvanceJob(moment, runIds, moment.nowMs, true, OVERTAKING);
  return [];
};

export const hurryJobs: Statement<[tasks: string[]]> = ({ tables, nowMs }, [tasks]) => {
  const available = [...tables.jobs.values()].filter(
    (job) => job.locked_at === null && job.attempts < MAX_ATTEMPTS && job.priority === RUNS.priority,
  );
  const oldest = Math.min(...available.map(({ run_at }) => run_at));
  for (const job of available)
    if (tasks.includes(job.task) && job.run_at < nowMs - WAITED_MS && job.run_at > oldest)
      job.run_at = oldest - 1;
  return [];
};
