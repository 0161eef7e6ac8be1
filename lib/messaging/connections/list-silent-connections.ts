import { and, eq, inArray, isNull } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { connections } from '#lib/messaging/schema/connections.ts';

/**
 * Those of the workspace's connections that have never received a notification, by id with their names: perhaps nobody
 * has subscribed them, and what runs wait for never arrives.
 */
export async function listSilentConnections(
  { db, workspaceId }: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = ids.filter(isId);
  if (wanted.length === 0) return new Map();
  const rows = await db
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(
      and(
        eq(connections.workspaceId, workspaceId),
        inArray(connections.id, wanted),
        isNull(connections.lastNotificationAt),
      ),
    );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
