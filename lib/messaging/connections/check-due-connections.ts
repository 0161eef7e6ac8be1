import { asc, isNull, lt, or, sql } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import type { MessagingContext } from './context.ts';
import { inspectConnection } from './inspect-connection.ts';

/** One pass: at some six calls each, a pass makes no more than the platform takes from one application in a minute. */
const MAX_AT_ONCE = 40;
const LANES = 4;
/** The same while the platform says that the app has used most of its calls. */
const MAX_WHEN_BUSY = 4;
/** After this many in a row without an answer the platform counts as unreachable, and the rest waits. */
const MAX_UNANSWERED = 3;

/**
 * Checks connections of all workspaces that are due, the longest waiting first; called from time to time by one process.
 * @returns how many were asked about.
 */
export async function checkDueConnections(ctx: Omit<MessagingContext, 'workspaceId'>): Promise<number> {
  const { graphUsage } = ctx.platform;
  const rows = await ctx.db
    .select({ id: connections.id, workspaceId: connections.workspaceId })
    .from(connections)
    .where(or(isNull(connections.checkDueAt), lt(connections.checkDueAt, sql`clock_timestamp()`)))
    .orderBy(sql`${connections.checkDueAt} nulls first`, asc(connections.id))
    .limit(MAX_AT_ONCE);
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
