import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { MessagingContext } from './context.ts';
import { minutesUntilCheck } from './background-pace.ts';
import { inspectConnection } from './inspect-connection.ts';
import { noSuchConnection } from './load-connection.ts';
import { RECHECK_MS } from './recheck-age.ts';

/** Of one look: pages show more only in installations that the background check serves well enough. */
const MAX_AT_ONCE = 20;
const MINUTE_MS = 60_000;

/**
 * Asks the platform about the workspace's connections, or one of them, that were not checked lately.
 * @throws AppError `not_found` for an id that cannot be one
 */
export async function recheckConnections(
  ctx: MessagingContext,
  { id }: { id?: string | undefined },
): Promise<void> {
  if (id !== undefined && !isId(id)) throw noSuchConnection();
  const minutes = minutesUntilCheck(ctx.platform, RECHECK_MS / MINUTE_MS);
  const before = new Date(Date.now() - minutes * MINUTE_MS);
  const rows = await ctx.db
    .select({ id: connections.id, accountId: connections.businessAccountId })
    .from(connections)
    .where(
      and(
        eq(connections.workspaceId, ctx.workspaceId),
        id === undefined ? undefined : eq(connections.id, id),
        or(isNull(connections.checkedAt), lt(connections.checkedAt, before)),
      ),
    )
    .orderBy(sql`${connections.checkedAt} nulls first`)
    .limit(MAX_AT_ONCE);
  const { graphUsage } = ctx.platform;
  const askable = rows.filter(
    ({ accountId }) => graphUsage.blockedMinutes(accountId ? [accountId] : []) === 0,
  );
  await Promise.all(askable.map((row) => inspectConnection(ctx, row.id)));
}
