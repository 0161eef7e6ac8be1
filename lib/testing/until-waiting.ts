import { setTimeout as wait } from 'node:timers/promises';
import type { Pool } from '#lib/core/db/client.ts';

const PATIENCE_MS = 10_000;

/** Settles when a statement in the pool's database waits for a lock that another transaction holds. */
export async function untilWaiting(pool: Pool): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await wait(5)) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (rowCount !== 0) return;
  }
  throw new Error('No statement waits for a lock.');
}
