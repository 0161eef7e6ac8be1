import type { Pool } from '#lib/core/db/client.ts';

/** The messaging platform repeats a notification for up to a week. */
const PRUNE = `delete from used_signals where used_at < now() - interval '30 days'`;

/** Forgets signals of which no copy comes any more. */
export async function pruneSignals(pool: Pool): Promise<void> {
  await pool.query(PRUNE);
}
