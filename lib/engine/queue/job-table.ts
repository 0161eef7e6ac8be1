// The queue's table as seen by one worker. It belongs to graphile-worker: its functions add jobs, its schema holds them. Jobs
// are taken here and not by its runner, which does not survive a broken connection (docs/decisions/job-queue.md).
import type { Pool } from '#lib/core/db/client.ts';
import { type RecurringTask, RECURRING_TASKS } from './recurring-jobs.ts';
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';

/** Known task names: advancing runs, and recurring jobs. Jobs of later versions are left to their workers. */
const TASKS = [ADVANCE_TASK, ...RECURRING_TASKS];
export type JobTask = typeof ADVANCE_TASK | RecurringTask;

export interface Job {
  id: string;
  /** Number of earlier failures. */
  failures: number;
  task: JobTask;
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

const TAKE = `
with due as (
  select id from graphile_worker._private_jobs
  where is_available and run_at <= now()
    and task_id = any (array(select id from graphile_worker._private_tasks where identifier = any ($3)))
  order by priority, run_at limit $2 for update skip locked
)
update graphile_worker._private_jobs job
set locked_by = $1, locked_at = now(), attempts = least(job.attempts + 1, job.max_attempts - 1)
from due where job.id = due.id
returning job.id, job.attempts - 1 as failures, job.payload,
  (select identifier from graphile_worker._private_tasks task where task.id = job.task_id) as task`;

const END = `
with ended as (
  select * from unnest($2::bigint[], $3::float8[], $4::int[], $5::text[]) as t(id, delay_ms, failures, reason)
), over as (
  delete from graphile_worker._private_jobs job using ended
  where job.id = ended.id and job.locked_by = $1 and ended.delay_ms is null
)
update graphile_worker._private_jobs job
set locked_by = null, locked_at = null, attempts = least(ended.failures, job.max_attempts - 1),
  last_error = ended.reason, run_at = now() + make_interval(secs => ended.delay_ms / 1000)
from ended where job.id = ended.id and job.locked_by = $1 and ended.delay_ms is not null`;

const UNLOCK = `
update graphile_worker._private_jobs set locked_by = null, locked_at = null, attempts = greatest(0, attempts - 1)
where locked_by = $1 and not id = any($2::bigint[])`;

/**
 * @param lockId under which jobs are locked; other workers unlock them once no living process has this id in its heartbeat
 */
export function createJobTable(pool: Pool, lockId: string): JobTable {
  return {
    async take(limit) {
      const { rows } = await pool.query<Job>({
        name: 'take_jobs',
        text: TAKE,
        values: [lockId, limit, TASKS],
      });
      return rows;
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
      await pool.query({ name: 'unlock_jobs', text: UNLOCK, values: [lockId, ids] });
    },
  };
}
