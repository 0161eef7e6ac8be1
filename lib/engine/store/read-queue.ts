import type { Pool } from '#lib/core/db/client.ts';

/** Counting further would be slow and not useful. */
const MOST = 100_000;

const QUEUE = `
select
  (select count(*)::int from (
    select from graphile_worker._private_jobs where is_available and run_at <= now() limit ${MOST}
  ) as due) as "dueJobs",
  (select count(*)::int from (select from runs where rare_status = 'waiting' limit ${MOST}) as w) as "waitingRuns",
  greatest(0, coalesce(extract(epoch from now() - (
    select run_at from graphile_worker._private_jobs where is_available order by priority, run_at limit 1
  )), 0))::float8 as "oldestDueSeconds"`;

export interface QueueState {
  dueJobs: number;
  waitingRuns: number;
  oldestDueSeconds: number;
}

/** The amount of work, for monitoring. */
export async function readQueue(pool: Pool): Promise<QueueState> {
  const { rows } = await pool.query<QueueState>(QUEUE);
  return rows[0] ?? { dueJobs: 0, waitingRuns: 0, oldestDueSeconds: 0 };
}
