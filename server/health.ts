import type { Pool } from '#lib/db/client.ts';
import { HEARTBEAT_TIMEOUT_SECONDS } from '#lib/engine/store/take.ts';

const READINESS = `
select (select count(*) from processes where kind = 'worker'
    and heartbeat_at > now() - interval '${HEARTBEAT_TIMEOUT_SECONDS} seconds')::int as workers,
  to_regclass('graphile_worker._private_jobs') is not null and to_regclass('runs') is not null as migrated`;

export interface Readiness {
  ready: boolean;
  body: { database: 'ok' | 'unreachable'; migrations: 'ok' | 'missing' | 'unknown'; workers: number };
}

/** What `/readyz` says: whether database, migrations and workers are fine (design section 2). */
export async function checkReadiness(pool: Pool): Promise<Readiness> {
  try {
    const { rows } = await pool.query<{ workers: number; migrated: boolean }>(READINESS);
    const { workers = 0, migrated = false } = rows[0] ?? {};
    const migrations = migrated ? 'ok' : 'missing';
    return { ready: migrated && workers > 0, body: { database: 'ok', migrations, workers } };
  } catch {
    return { ready: false, body: { database: 'unreachable', migrations: 'unknown', workers: 0 } };
  }
}
