// Whether runs are being executed, for `/readyz` and the health page.
import type { Pool } from '#lib/core/db/client.ts';
import { RUNS } from '#lib/core/queue/job-table.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from './take.ts';

/** The queue is stalled when a job has been due for longer and no worker took any for as long. */
const STALL_SECONDS = 15;

const MIGRATED = `
select to_regclass('graphile_worker._private_jobs') is not null and to_regclass('runs') is not null as migrated`;

/** Of runs: mails and alerts may wait for their receivers. */
const OLDEST = `select run_at from graphile_worker._private_jobs where is_available and priority = ${RUNS.priority} order by run_at limit 1`;

const WORK = `
with oldest as (
  ${OLDEST}
)
select count(*) filter (where heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds')::int as workers,
  max(last_job_at) as last_job_at,
  (select run_at from oldest where run_at < now()) as due_since,
  coalesce((select run_at from oldest) < now() - interval '${STALL_SECONDS} seconds'
    and max(last_job_at) > now() - interval '${STALL_SECONDS} seconds' is not true, false) as stalled
from processes where kind = 'worker'`;

interface WorkRow {
  workers: number;
  last_job_at: Date | null;
  due_since: Date | null;
  stalled: boolean;
}

export interface Readiness {
  database: 'ok' | 'unreachable';
  migrations: 'ok' | 'missing' | 'unknown';
  /** Number of living workers. */
  workers: number;
  /** `stalled`: jobs are due, and no worker takes any. */
  queue: 'ok' | 'stalled' | 'unknown';
  /** When a worker last took a job. */
  lastJobAt: Date | null;
  /** Since when the next job has been due; null: none is due. */
  dueSince: Date | null;
}

/** Checks database, migrations, workers and queue (docs/webhooks.md). It never throws. */
export async function checkReadiness(pool: Pool): Promise<Readiness> {
  try {
    const { rows } = await pool.query<{ migrated: boolean }>(MIGRATED);
    if (!rows[0]?.migrated) return notReady('ok', 'missing');
    const { rows: work } = await pool.query<WorkRow>(WORK);
    const [{ workers, last_job_at: lastJobAt, due_since: dueSince, stalled }] = work as [WorkRow];
    return {
      database: 'ok',
      migrations: 'ok',
      workers,
      queue: stalled ? 'stalled' : 'ok',
      lastJobAt,
      dueSince,
    };
  } catch {
    return notReady('unreachable', 'unknown');
  }
}

const WORKERS = `
select count(*)::int as workers from processes
where kind = 'worker' and heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'`;

/** Number of living workers. */
export async function countWorkers(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ workers: number }>(WORKERS);
  return rows[0]?.workers ?? 0;
}

const PROCESSES = `
select count(*) filter (where kind = 'web')::int as "webProcesses",
  count(*) filter (where kind = 'worker')::int as "workerProcesses"
from processes where heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds'`;

/** Number of living processes of each kind. */
export async function countProcesses(pool: Pool): Promise<{ webProcesses: number; workerProcesses: number }> {
  const { rows } = await pool.query<{ webProcesses: number; workerProcesses: number }>(PROCESSES);
  return rows[0] ?? { webProcesses: 0, workerProcesses: 0 };
}

/** Whether runs are executed. */
export const isReady = ({ workers, queue }: Readiness): boolean => workers > 0 && queue === 'ok';

const notReady = (database: Readiness['database'], migrations: Readiness['migrations']): Readiness => ({
  database,
  migrations,
  workers: 0,
  queue: 'unknown',
  lastJobAt: null,
  dueSince: null,
});

/** Counting further would be slow and not useful. */
const MOST = 100_000;

const QUEUE = `
select
  (select count(*)::int from (
    select from graphile_worker._private_jobs where is_available and run_at <= now() limit ${MOST}
  ) as due) as "dueJobs",
  (select count(*)::int from (select from runs where rare_status = 'waiting' limit ${MOST}) as w) as "waitingRuns",
  greatest(0, coalesce(extract(epoch from now() - (
    ${OLDEST}
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
