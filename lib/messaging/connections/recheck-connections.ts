import { and, asc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { noSuchConnection } from './connection-rows.ts';
import type { MessagingContext } from './context.ts';
import { inspectConnection, minutesUntilCheck } from './inspect-connection.ts';
import { RECHECK_MS } from './recheck-age.ts';

/** Maximum per page view: installations with more connections rely on the background check. */
const MAX_RECHECKED_AT_ONCE = 20;
const MINUTE_MS = 60_000;

/** Checks the workspace's connections without a recent check, or one of them. @throws AppError `not_found` for an invalid id */
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
    .limit(MAX_RECHECKED_AT_ONCE);
  const { graphUsage } = ctx.platform;
  const askable = rows.filter(
    ({ accountId }) => graphUsage.blockedMinutes(accountId ? [accountId] : []) === 0,
  );
  await Promise.all(askable.map((row) => inspectConnection(ctx, row.id)));
}

/** Maximum per pass: at about six calls each, a pass stays within the platform's limit for one app per minute. */
const MAX_CHECKED_AT_ONCE = 40;
const LANES = 4;
/** The same while the platform reports that the app has used most of its calls. */
const MAX_WHEN_BUSY = 4;
/** After this many in a row without an answer the platform counts as unreachable, and the rest waits. */
const MAX_UNANSWERED = 3;

/**
 * Checks due connections of all workspaces, the longest waiting first; called regularly by one process. @returns the number of
 * checked connections.
 */
export async function checkDueConnections(ctx: Omit<MessagingContext, 'workspaceId'>): Promise<number> {
  const { graphUsage } = ctx.platform;
  const rows = await ctx.db
    .select({ id: connections.id, workspaceId: connections.workspaceId })
    .from(connections)
    .where(or(isNull(connections.checkDueAt), lt(connections.checkDueAt, sql`clock_timestamp()`)))
    .orderBy(sql`${connections.checkDueAt} nulls first`, asc(connections.id))
    .limit(MAX_CHECKED_AT_ONCE);
  let unanswered = 0;
  let asked = 0;
  const lane = async (): Promise<void> => {
    const mayContinue = (): boolean =>
      unanswered < MAX_UNANSWERED && !(graphUsage.isHigh() && asked >= MAX_WHEN_BUSY);
    for (let row = rows.shift(); row && mayContinue(); row = rows.shift()) {
      asked += 1;
      const hasAnswered = await inspectConnection({ ...ctx, workspaceId: row.workspaceId }, row.id);
      unanswered = hasAnswered ? 0 : unanswered + 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return asked;
}
