import { and, eq } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { noSuchConnection } from './load-connection.ts';

/** Ends a connection at once, its tokens with it; workflows that name it fail from now on. @throws AppError `not_found` */
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
