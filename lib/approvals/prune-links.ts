import type { Pool } from '#lib/core/db/client.ts';

/** Until then a link shows that it has expired, or its decision; afterwards it is unknown. */
const PRUNE = `delete from approval_links where expires_at < now() - interval '30 days'`;

/** Removes links that expired a month ago. */
export async function pruneLinks(pool: Pool): Promise<void> {
  await pool.query(PRUNE);
}
