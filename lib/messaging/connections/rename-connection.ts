import { and, eq } from 'drizzle-orm';
import { connections } from '#lib/messaging/schema/connections.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { noSuchConnection } from './load-connection.ts';
import type { Connection } from './schema.ts';
import { toConnection } from './to-connection.ts';

/** @throws AppError `not_found` */
export async function renameConnection(
  ctx: Context,
  { id, name }: { id: string; name: string },
): Promise<Connection> {
  if (!isId(id)) throw noSuchConnection();
  const [row] = await ctx.db
    .update(connections)
    .set({ name, updatedAt: new Date() })
    .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)))
    .returning();
  if (!row) throw noSuchConnection();
  return toConnection(row);
}
