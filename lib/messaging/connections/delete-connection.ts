import { and, eq } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { noSuchConnection } from './load-connection.ts';

/** Ends a connection at once, its tokens with it; workflows that name it fail from now on. @throws AppError `not_found` */
export async function deleteConnection(
  ctx: Context,
  { id }: { id: string },
): Promise<{ id: string; name: string }> {
  const [removed] = isId(id)
    ? await ctx.db
        .delete(connections)
        .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)))
        .returning({ id: connections.id, name: connections.name })
    : [];
  if (!removed) throw noSuchConnection();
  return removed;
}
