import { and, eq, inArray, isNull } from 'drizzle-orm';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { connectionFacts, connections } from '#lib/messaging/schema/connections.ts';
import type { AccountFacts } from '#lib/messaging/schema/fact-types.ts';
import type { ConnectionRow } from './connection-rows.ts';
import { findMissingScopes, type ScopesContext } from './missing-scopes.ts';
import type { Connection } from './schema.ts';
import { toConnection } from './to-connection.ts';

/** Whether a connection's own business account was accessible at its last check. */
export const hasAnswered = (
  { businessAccountId }: ConnectionRow,
  accounts: readonly AccountFacts[] | null | undefined,
): boolean => accounts?.some(({ id, problem }) => id === businessAccountId && problem === null) ?? false;

/** Ids of the connections whose account was accessible: only read where the names of their scopes do not decide it. */
export async function findAnswering(
  ctx: Pick<Context, 'db'> & ScopesContext,
  rows: readonly ConnectionRow[],
): Promise<ReadonlySet<string>> {
  const open = rows.filter(({ scopes }) => findMissingScopes(scopes, ctx).length > 0);
  if (open.length === 0) return new Set();
  const ids = open.map(({ id }) => id);
  const facts = await ctx.db.select().from(connectionFacts).where(inArray(connectionFacts.connectionId, ids));
  const accountsOf = new Map(facts.map(({ connectionId, accounts }) => [connectionId, accounts]));
  return new Set(open.filter((row) => hasAnswered(row, accountsOf.get(row.id))).map(({ id }) => id));
}

/** A connection for display. */
export async function showConnection(
  ctx: Pick<Context, 'db'> & ScopesContext,
  row: ConnectionRow,
): Promise<Connection> {
  return toConnection(ctx, row, (await findAnswering(ctx, [row])).has(row.id));
}

/**
 * Those of the workspace's connections that have never received a notification, by id with their names: they may not be
 * subscribed, so that what runs wait for never arrives.
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
