// The queue's table as one worker sees it. It is graphile-worker's: its functions add jobs, its schema holds them. Jobs
// are taken from it here and not by its runner, which does not survive a broken connection (docs/decisions/job-queue.md).
import type { Pool } from '#lib/core/db/client.ts';
import { type RecurringTask, RECURRING_TASKS } from './recurring-jobs.ts';
import { ADVANCE_TASK } from '#lib/engine/store/advance-job.ts';

/** What jobs do: advance runs, or what recurs. Jobs of later versions are left to their workers. */
const TASKS = [ADVANCE_TASK, ...RECURRING_TASKS];
export type JobTask = typeof ADVANCE_TASK | RecurringTask;

export interface Job {
  id: string;
  /** How often it failed before. */
  failures: number;
  task: JobTask;
  payload: unknown;
}

/** How a job that was taken ends: it is over, or it comes again. */
export interface JobEnd {
  id: string;
  /** Absent: it is over. */
  again?: { delayMs: number; failures: number; reason: string | null };
}

export interface JobTable {
  /** Locks the jobs that have been due for longest, at most that many. */
  take(limit: number): Promise<Job[]>;
  /** Deletes jobs that are over and unlocks those that come again, where we still hold them. May be repeated. */
  end(ends: readonly JobEnd[]): Promise<void>;
  /** Unlocks all of our jobs but these: nobody knows of one that was locked for us while the answer was lost. */
  unlockExcept(ids: readonly string[]): Promise<void>;
}

// A job never runs out of attempts, at which point it would not be available again: it is all that leads to its runs.

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

/** @param lockId under which jobs are locked; others unlock them once no living process's heartbeat names it. */
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
