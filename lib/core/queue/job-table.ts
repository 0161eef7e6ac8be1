// The queue's table. It belongs to graphile-worker: its functions add jobs, its schema holds them. Jobs
// are taken here and not by its runner, which does not survive a broken connection (docs/decisions/job-queue.md).
import { sql } from 'drizzle-orm';
import type { Backoff } from '../backoff.ts';
import type { Database, Pool } from '../db/client.ts';

/** Jobs of a lane have separate slots in each worker, so that slow ones delay no others. */
export interface Lane {
  /** The priority of its jobs, with which the index of due jobs begins: a backlog of one lane costs the others nothing. */
  priority: number;
  /** Maximum number of jobs that a worker handles at once. */
  slots: number;
  retries: Backoff;
}

/** Advancing runs, and recurring jobs. */
export const RUNS: Lane = { priority: 0, slots: 24, retries: { firstMs: 1000, longestMs: 300_000 } };
export const ALERTS: Lane = { priority: 2, slots: 10, retries: { firstMs: 5000, longestMs: 6 * 3_600_000 } };
export const MAILS: Lane = { priority: 1, slots: 4, retries: { firstMs: 15_000, longestMs: 3_600_000 } };

/** Answers to customers who stopped or resumed messages. */
export const CONFIRMATIONS: Lane = { priority: 3, slots: 4, retries: { firstMs: 2000, longestMs: 300_000 } };

/** Runs that do not wait behind those of another workspace (lib/engine/queue/overtaking.ts). */
export const OVERTAKING: Lane = { ...RUNS, priority: 4 };

/** A kind of job, and where it waits. */
export interface JobKind {
  task: string;
  lane: Lane;
}

/**
 * SQL that adds a job, in the transaction of its cause, and returns its id (drizzle/0076_queue_job.sql).
 * @param payload SQL of its JSON @param dueAt SQL of the time at which it is due; left out, or null: now
 */
export function queueJob({ task, lane }: JobKind, payload: string, dueAt?: string): string {
  const when = dueAt === undefined ? '' : `, due_at := ${dueAt}`;
  const where = lane.priority === 0 ? '' : `, in_lane := ${lane.priority}`;
  return `queue_job('${task}', ${payload}${when}${where})`;
}

/** Adds a job in the transaction of its cause. */
export async function addJob(
  tx: Pick<Database, 'execute'>,
  { task, lane }: JobKind,
  payload: object,
): Promise<void> {
  await tx.execute(
    sql`select queue_job(${task}, ${JSON.stringify(payload)}::json, in_lane := ${lane.priority})`,
  );
}

/** Adds the recurring job `$1` unless it exists. */
export const ADD_RECURRING_JOB = `
select graphile_worker.add_job($1, '{}', job_key := $1, job_key_mode := 'unsafe_dedupe')`;

export interface Job {
  id: string;
  /** Number of earlier failures. */
  failures: number;
  task: string;
  payload: unknown;
}

/** How a job ends: it is done, or repeated. */
export interface JobEnd {
  id: string;
  /** Absent: it is done. */
  again?: { delayMs: number; failures: number; reason: string | null };
}

export interface JobTable {
  /** Locks the jobs that have been due longest, up to the limit. */
  take(limit: number): Promise<Job[]>;
  /** Deletes jobs that are done and unlocks those to repeat, if this worker still holds them. Idempotent. */
  end(ends: readonly JobEnd[]): Promise<void>;
  /** Unlocks all other jobs of this worker: they were locked by a statement whose response was lost. */
  unlockExcept(ids: readonly string[]): Promise<void>;
}

// A job must never run out of attempts, because it would not be available again: it is the only way to its runs.

/**
 * While a backup or another long transaction holds a snapshot, PostgreSQL keeps the index entries of finished jobs, and looking for
 * due jobs from the beginning reads every one of them. So most looks begin where the last one ended; those from the beginning
 * take a twentieth of the time, and are never postponed for long. They find jobs that were due earlier: those that another worker
 * gave back, and those of transactions that lasted longer than the overlap.
 */
const WHOLE_LOOK = { pauseFactor: 20, longestPauseMs: 2000, overlapMs: 500 };

/** By `= any(array[…])`: see `BY_KEY` (lib/core/db/client.ts). */
const TAKE = `
with due as (
  select id from graphile_worker._private_jobs
  where is_available and priority = $4 and run_at <= now()
    and run_at >= coalesce(now() - make_interval(secs => $5), '-infinity')
    and task_id = any (array(select id from graphile_worker._private_tasks where identifier = any ($3)))
  order by run_at limit $2 for update skip locked
)
update graphile_worker._private_jobs job
set locked_by = $1, locked_at = now(), attempts = least(job.attempts + 1, job.max_attempts - 1)
from due where job.id = any(array[due.id])
returning job.id, job.attempts - 1 as failures, job.payload,
  extract(epoch from now() - job.run_at)::float8 as "dueSeconds",
  (select identifier from graphile_worker._private_tasks task where task.id = job.task_id) as task`;

/** By `= any(…)` for the same reason. */
const END = `
with ended as (
  select * from unnest($2::bigint[], $3::float8[], $4::int[], $5::text[]) as t(id, delay_ms, failures, reason)
), over as (
  delete from graphile_worker._private_jobs
  where id = any(array(select id from ended where delay_ms is null)) and locked_by = $1
)
update graphile_worker._private_jobs job
set locked_by = null, locked_at = null, attempts = least(ended.failures, job.max_attempts - 1),
  last_error = ended.reason, run_at = now() + make_interval(secs => ended.delay_ms / 1000)
from ended
where job.id = any(array(select id from ended where delay_ms is not null))
  and job.id = ended.id and job.locked_by = $1 and ended.delay_ms is not null`;

const UNLOCK = `
update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1)
where locked_by = $1 and priority = $3 and not id = any($2::bigint[])`;

export interface TakenJobs {
  /** Jobs are locked under it; other workers unlock them once no living process has this id in its heartbeat. */
  lockId: string;
  lane: Pick<Lane, 'priority'>;
  /** Jobs of other tasks, as of later versions, are left to their workers. */
  tasks: readonly string[];
}

/** The jobs of a lane as one worker sees them. */
export function createJobTable(pool: Pool, { lockId, lane: { priority }, tasks }: TakenJobs): JobTable {
  /** When the next look begins at the oldest job. */
  let wholeAtMs = -Infinity;
  /** How long jobs had been due, at this instant, to which the last look came. */
  let seen = { atMs: 0, dueSeconds: 0 };
  return {
    async take(limit) {
      const startedAtMs = performance.now();
      const isWhole = startedAtMs >= wholeAtMs;
      const sinceSeconds = (startedAtMs - seen.atMs + WHOLE_LOOK.overlapMs) / 1000 + seen.dueSeconds;
      const { rows } = await pool.query<Job & { dueSeconds: number }>({
        name: 'take_jobs',
        text: TAKE,
        values: [lockId, limit, tasks, priority, isWhole ? null : sinceSeconds],
      });
      const endedAtMs = performance.now();
      const pauseMs = WHOLE_LOOK.pauseFactor * (endedAtMs - startedAtMs);
      if (isWhole) wholeAtMs = endedAtMs + Math.min(pauseMs, WHOLE_LOOK.longestPauseMs);
      const isAll = rows.length < limit;
      seen = {
        atMs: startedAtMs,
        dueSeconds: isAll ? 0 : Math.min(...rows.map(({ dueSeconds }) => dueSeconds)),
      };
      return rows.map(({ dueSeconds: _, ...job }) => job);
    },
    async end(ends) {
      const again = ends.map((each) => each.again);
      const values = [
        lockId,
        ends.map(({ id }) => id),
        again.map((each) => each?.delayMs ?? null),
        again.map((each) => each?.failures ?? null),
        again.map((each) => each?.reason ?? null),
      ];
      await pool.query({ name: 'end_jobs', text: END, values });
    },
    async unlockExcept(ids) {
      wholeAtMs = -Infinity;
      await pool.query({ name: 'unlock_jobs', text: UNLOCK, values: [lockId, ids, priority] });
    },
  };
}
