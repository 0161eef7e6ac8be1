// The open work in the database.
import { setTimeout as sleep } from 'node:timers/promises';
import { RECURRING_INTERVALS_MS, RECURRING_TASKS } from '#lib/engine/queue/recurring.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { addAdvanceJob } from '#lib/engine/store/advance-job.ts';
import type { Activity } from './acting-process.ts';

const LOOK_EVERY_MS = 3;
/** Jobs that are always due, or soon again: recurring ones. */
export const OFTEN = RECURRING_TASKS.filter((task) => RECURRING_INTERVALS_MS[task] < 30_000);
const ENDED = `('succeeded', 'failed', 'cancelled')`;
/**
 * Work that is due: runs, jobs of any kind, and claims. Recurring jobs count only when they are due: of two with an interval of
 * a minute, one is always due soon.
 */
const OPEN = `
select (select count(*)::int from runs where workflow_id = $1 and not (status in ${ENDED}
    or ($2 and status = 'waiting' and resume_at > now() + interval '1 minute'))) as runs,
  (select count(*)::int from graphile_worker._private_jobs
    where (locked_at is not null or run_at < now() + case when key is null then interval '30 seconds' else '0' end)
      and not coalesce(key = any ($3::text[]), false)) as jobs,
  (select count(*)::int from run_claims) as claims`;

const DUPLICATE = `select ${addAdvanceJob('(select json_agg(id) from open)')} from (select) as one where exists (select from open)`;

/** Whether a workflow has no open work. @param mayWait waits of more than a minute do not count */
export async function isOver(pool: Pool, workflowId: string, mayWait: boolean): Promise<boolean> {
  const { rows } = await pool.query<{ runs: number; jobs: number; claims: number }>({
    name: 'open',
    text: OPEN,
    values: [workflowId, mayWait, OFTEN],
  });
  const [open] = rows;
  return open !== undefined && open.runs + open.jobs + open.claims === 0;
}

/** Adds a second job for open runs. */
export async function duplicateJobs(pool: Pool, workflowId: string): Promise<void> {
  await pool.query(
    `with open as (select id from runs where workflow_id = $1 and status not in ${ENDED}) ${DUPLICATE}`,
    [workflowId],
  );
}

/** Runs, jobs, claims and processes, for debugging a stuck play. */
export async function describeOpenWork(
  pool: Pool,
  workflowId: string,
  { pending }: Activity,
): Promise<string> {
  const { rows } = await pool.query(
    `select (select json_agg(r) from (select status, epoch, resume_at, worker_id from runs where workflow_id = $1) r) as runs,
      (select json_agg(j) from (select id, run_at, locked_by, locked_at, attempts, last_error from graphile_worker._private_jobs
        where run_at < now() + interval '1 month') j) as jobs,
      (select json_agg(c) from run_claims c) as claims, (select json_agg(p) from processes p) as processes, now()`,
    [workflowId],
  );
  return JSON.stringify({ ...rows[0], pending });
}

/** Statements of a crashed process may still be executing. */
export async function untilDisconnected(pool: Pool): Promise<void> {
  const connected = `select from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and application_name like 'patchbay%'`;
  for (;;) {
    const { rowCount } = await pool.query(connected);
    if (rowCount === 0) return;
    await sleep(LOOK_EVERY_MS);
  }
}
