import { and, eq } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { newestOf, type Page, type PageInput, readCursor, toPage } from '#lib/core/db/paging.ts';
import { connections } from '#lib/messaging/schema/connections.ts';
import { loadConnectionRow, noSuchConnection } from './connection-rows.ts';
import { findAnswering, showConnection } from './find-answering.ts';
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

/** @throws AppError `not_found` */
export const getConnection = async (ctx: Context, { id }: { id: string }): Promise<Connection> =>
  showConnection(ctx, await loadConnectionRow(ctx, id));

/** Renames a connection. @throws AppError `not_found` */
export async function renameConnection(
  ctx: ActorContext,
  { id, name }: { id: string; name: string },
): Promise<Connection> {
  if (!isId(id)) throw noSuchConnection();
  const renamed = await ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(connections)
      .set({ name, updatedAt: new Date() })
      .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)))
      .returning();
    if (!row) throw noSuchConnection();
    await recordAudit(ctx, tx, 'connection.renamed', { id, name });
    return row;
  });
  return showConnection(ctx, renamed);
}

/** Deletes a connection and its tokens immediately; workflows that use it fail from now on. @throws AppError `not_found` */
export async function deleteConnection(
  ctx: ActorContext,
  { id }: { id: string },
): Promise<{ id: string; name: string }> {
  if (!isId(id)) throw noSuchConnection();
  return ctx.db.transaction(async (tx) => {
    const [removed] = await tx
      .delete(connections)
      .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)))
      .returning({ id: connections.id, name: connections.name });
    if (!removed) throw noSuchConnection();
    await recordAudit(ctx, tx, 'connection.deleted', removed);
    return removed;
  });
}

/** A number that was selected with its connection, and the connection's business account. @throws AppError `not_found` */
export async function getSender(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { connectionId, phoneNumberId }: { connectionId: string; phoneNumberId: string },
): Promise<{ connectionId: string; businessAccountId: string | undefined; phoneNumberId: string }> {
  const { businessAccountId } = await loadConnectionRow(ctx, connectionId);
  return { connectionId, businessAccountId: businessAccountId ?? undefined, phoneNumberId };
}
