// The queue's statements.
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';
import type { Moment, Statement } from './moment.ts';
import type { JobRow } from './tables.ts';

const MAX_ATTEMPTS = 25;

function addJob({ tables, notify }: Moment, task: string, payload: unknown, runAtMs: number): void {
  const id = String(tables.jobsMade + 1);
  tables.jobsMade += 1;
  tables.jobs.set(id, { id, task, payload, run_at: runAtMs, attempts: 0, locked_by: null, locked_at: null });
  notify();
}

export const addAdvanceJob = (
  moment: Moment,
  runIds: string[],
  runAtMs = moment.nowMs,
  isSignaled = false,
): void =>
  addJob(moment, ADVANCE_TASK, { run_ids: runIds, ...(isSignaled ? { signaled: true } : {}) }, runAtMs);

type Taking = [lockId: string, limit: number, tasks: string[], priority: number, sinceSeconds: number | null];

export const takeJobs: Statement<Taking> = ({ tables, nowMs }, [lockId, limit, tasks, , sinceSeconds]) => {
  const due = [...tables.jobs.values()]
    .filter((job) => job.locked_at === null && job.attempts < MAX_ATTEMPTS)
    .filter((job) => job.run_at <= nowMs && tasks.includes(job.task))
    .filter((job) => sinceSeconds === null || job.run_at >= nowMs - sinceSeconds * 1000)
    .toSorted((a, b) => a.run_at - b.run_at)
    .slice(0, limit);
  return due.map((job) => {
    Object.assign(job, { locked_by: lockId, locked_at: nowMs });
    job.attempts = Math.min(job.attempts + 1, MAX_ATTEMPTS - 1);
    const dueSeconds = Math.round((nowMs - job.run_at) * 1000) / 1e6;
    return { id: job.id, failures: job.attempts - 1, payload: job.payload, task: job.task, dueSeconds };
  });
};

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

export const unlockJobs: Statement<[lockId: string, ids: string[]]> = (
  { tables, sabotage },
  [lockId, ids],
) => {
  if (sabotage === 'unlocking') return [];
  for (const job of tables.jobs.values())
    if (job.locked_by === lockId && !ids.includes(job.id)) unlock(job, Math.max(0, job.attempts - 1));
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
