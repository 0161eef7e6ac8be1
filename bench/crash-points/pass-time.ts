// Makes time pass immediately, by shortening all waits.
import type { Pool } from '#lib/core/db/client.ts';

/** Jobs that are added later may belong to runs whose wait started after the others were changed. */
const LATER_JOBS = `select array_agg(id) as ids from graphile_worker._private_jobs
  where run_at > now() and run_at < now() + interval '1 month'`;
/**
 * One after the other: a single statement could deadlock with a process. Jobs are last: one that was due before its run would
 * end without effect.
 */
const PASS_TIME = [
  `update task_runs set resume_at = resume_at - make_interval(secs => $1)
   where resume_at is not null and run_id in (select id from runs where workflow_id = $2)`,
  `update runs set resume_at = resume_at - make_interval(secs => $1) where workflow_id = $2 and resume_at is not null`,
  `update webhook_bursts set due_at = due_at - make_interval(secs => $1), opened_at = opened_at - make_interval(secs => $1)
   where workflow_id = $2`,
  `update connections set refresh_lease_until = refresh_lease_until - make_interval(secs => $1)
   where refresh_lease_until is not null`,
];
const PASS_JOBS = `update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => $1)
  where id = any($2::bigint[]) and run_at > now()`;
/** Ages the remains of crashed processes. */
const AGE_LEFTOVERS = [
  `update processes set heartbeat_at = heartbeat_at - interval '1 minute' where id = any($1::uuid[])`,
  `update graphile_worker._private_jobs set locked_at = locked_at - interval '1 minute' where locked_by = any($1::text[])`,
];

export interface Passing {
  seconds: number;
  workflowId: string;
  /** Heartbeats of crashed and suspended processes. */
  gone: readonly string[];
}

export async function passTime(pool: Pool, { seconds, workflowId, gone }: Passing): Promise<void> {
  if (seconds > 0) {
    const later = await pool.query<{ ids: string[] | null }>(LATER_JOBS);
    for (const text of PASS_TIME)
      await pool.query(text, text.includes('$2') ? [seconds, workflowId] : [seconds]);
    await pool.query(PASS_JOBS, [seconds, later.rows[0]?.ids ?? []]);
  }
  if (gone.length > 0) for (const text of AGE_LEFTOVERS) await pool.query(text, [gone]);
  await pool.query(`select pg_notify('jobs:insert', '')`);
}

/** A short pause stays short on a busy machine: the process counts as alive at this moment. */
export async function keepAlive(pool: Pool, heartbeatId: string | undefined): Promise<void> {
  await pool.query('update processes set heartbeat_at = now() where id = $1', [heartbeatId ?? null]);
}
