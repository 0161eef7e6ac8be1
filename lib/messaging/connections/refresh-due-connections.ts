import { and, eq, isNotNull, lt, sql } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { MessagingContext } from './context.ts';
import { refreshConnection } from './refresh-connection.ts';

const MAX_AT_ONCE = 200;
/** A connection nobody uses is refreshed this often, so that its refresh token stays young where they are rotated. */
const IDLE_DAYS = 7;

/**
 * Refreshes connections of all workspaces that nobody used for long; called from time to time by one process or many.
 * @returns how many have new tokens.
 */
export async function refreshDueConnections(ctx: Omit<MessagingContext, 'workspaceId'>): Promise<number> {
  const rows = await ctx.db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.status, 'connected'),
        isNotNull(connections.refreshTokenEncrypted),
        lt(connections.tokenIssuedAt, sql`now() - make_interval(days => ${IDLE_DAYS})`),
      ),
    )
    .limit(MAX_AT_ONCE);
  let refreshed = 0;
  for (const row of rows) {
    const outcome = await refreshConnection({ ...ctx, workspaceId: row.workspaceId }, row, 'soon');
    if (outcome.kind === 'usable') refreshed += 1;
  }
  return refreshed;
}
