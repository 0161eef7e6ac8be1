import { and, desc, eq, lt } from 'drizzle-orm';
import { connections } from '#lib/db/schema/connections.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/workspaces/paging.ts';
import type { Connection } from './schema.ts';
import { toConnection } from './to-connection.ts';

/** The workspace's connections, newest first. */
export async function listConnections(ctx: Context, { limit, cursor }: PageInput): Promise<Page<Connection>> {
  const rows = await ctx.db
    .select()
    .from(connections)
    .where(and(eq(connections.workspaceId, ctx.workspaceId), lt(connections.id, readCursor(cursor))))
    .orderBy(desc(connections.id))
    .limit(limit + 1);
  return toPage(rows, limit, (row) => toConnection(row));
}
