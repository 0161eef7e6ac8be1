import type { Pool } from '#lib/core/db/client.ts';

/** The messaging platform repeats notifications for up to a week. */
const PRUNE = `delete from used_signals where used_at < now() - interval '30 days'`;

/** Deletes signals that will not be repeated any more. */
export async function pruneSignals(pool: Pool): Promise<void> {
  await pool.query(PRUNE);
}
