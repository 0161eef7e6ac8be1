import { and, asc, eq, gt, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';
import { canExchange } from '#lib/messaging/platform/identity.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { refreshConnection } from './refresh-connection.ts';

const MAX_AT_ONCE = 200;
/** Interval for refreshing unused connections, so that rotated refresh tokens do not expire. */
const IDLE_DAYS = 7;
/**
 * Time before its expiry at which a token without a refresh token is exchanged: half of its lifetime on the real platform.
 */
const EXCHANGE_DAYS = 30;

/**
 * Refreshes long unused connections of all workspaces, and exchanges expiring tokens; called regularly by one or more
 * processes. @returns the number of connections with new tokens.
 */
export async function refreshDueConnections(ctx: Omit<MessagingContext, 'workspaceId'>): Promise<number> {
  const rows = await ctx.db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.status, 'connected'),
        or(isIdle(), canExchange(ctx.platform) ? endsUnlessExchanged() : undefined),
      ),
    )
    .orderBy(asc(connections.tokenExpiresAt))
    .limit(MAX_AT_ONCE);
  let refreshed = 0;
  for (const row of rows) {
    const outcome = await refreshConnection({ ...ctx, workspaceId: row.workspaceId }, row, 'soon');
    if (outcome.kind === 'usable') refreshed += 1;
  }
  return refreshed;
}

const inDays = (days: number): SQL => sql`now() + make_interval(days => ${days})`;

const isIdle = () =>
  and(isNotNull(connections.refreshTokenEncrypted), lt(connections.tokenIssuedAt, inDays(-IDLE_DAYS)));

/** Once a day, because an exchange may not extend the expiry; more often only on the last day. */
const endsUnlessExchanged = () =>
  and(
    isNull(connections.refreshTokenEncrypted),
    gt(connections.tokenExpiresAt, sql`now()`),
    lt(connections.tokenExpiresAt, inDays(EXCHANGE_DAYS)),
    or(lt(connections.tokenIssuedAt, inDays(-1)), lt(connections.tokenExpiresAt, inDays(1))),
  );
