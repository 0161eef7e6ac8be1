import type { Pool } from '#lib/core/db/client.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';

/** A job that is due for longer, while no worker took any for as long, waits for nobody. */
const STALL_SECONDS = 15;

const READINESS = `
select to_regclass('graphile_worker._private_jobs') is not null and to_regclass('runs') is not null as migrated`;

const WORK = `
select count(*) filter (where heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds')::int as workers,
  (select run_at from graphile_worker._private_jobs where is_available order by priority, run_at limit 1)
    < now() - interval '${STALL_SECONDS} seconds'
    and max(last_job_at) > now() - interval '${STALL_SECONDS} seconds' is not true as stalled
from processes where kind = 'worker'`;

export interface Readiness {
  ready: boolean;
  body: {
    database: 'ok' | 'unreachable';
    migrations: 'ok' | 'missing' | 'unknown';
    /** That are alive. */
    workers: number;
    /** `stalled`: jobs are due, and nobody takes any. */
    queue: 'ok' | 'stalled' | 'unknown';
  };
}

/** What `/readyz` says: whether database, migrations and workers are fine, and the queue moves (docs/webhooks.md). */
export async function checkReadiness(pool: Pool): Promise<Readiness> {
  try {
    const { rows } = await pool.query<{ migrated: boolean }>(READINESS);
    if (!rows[0]?.migrated) return notReady('ok', 'missing');
    const { rows: work } = await pool.query<{ workers: number; stalled: boolean | null }>(WORK);
    const { workers = 0, stalled = false } = work[0] ?? {};
    const queue = stalled ? 'stalled' : 'ok';
    return {
      ready: workers > 0 && !stalled,
      body: { database: 'ok', migrations: 'ok', workers, queue },
    };
  } catch {
    return notReady('unreachable', 'unknown');
  }
}

const notReady = (
  database: Readiness['body']['database'],
  migrations: Readiness['body']['migrations'],
): Readiness => ({ ready: false, body: { database, migrations, workers: 0, queue: 'unknown' } });
