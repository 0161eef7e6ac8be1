import { connections } from '#lib/messaging/schema/connections.ts';
import type { Context } from '#lib/identity/context.ts';
import { newestOf } from '#lib/identity/paging/newest-of.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/identity/paging/paging.ts';
import { findAnswering } from './find-answering.ts';
import type { Connection } from './schema.ts';
import { toConnection } from './to-connection.ts';

/** The workspace's connections, newest first. */
export async function listConnections(ctx: Context, { limit, cursor }: PageInput): Promise<Page<Connection>> {
  const { where, order } = newestOf({
    key: [[connections.workspaceId, ctx.workspaceId]],
    id: connections.id,
    below: readCursor(cursor),
  });
  const rows = await ctx.db
    .select()
    .from(connections)
    .where(where)
    .orderBy(order)
    .limit(limit + 1);
  const answering = await findAnswering(ctx, rows);
  return toPage(rows, limit, (row) => toConnection(ctx, row, answering.has(row.id)));
}
