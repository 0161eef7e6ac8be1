import { and, eq } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { showConnection } from './find-answering.ts';
import { noSuchConnection } from './load-connection.ts';
import type { Connection } from './schema.ts';

/** Gives a connection another name. @throws AppError `not_found` */
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
