import { and, eq, sql } from 'drizzle-orm';
import { databaseOver, perPool } from '#lib/core/db/client.ts';
import { groupByPool } from '#lib/core/db/group-commit.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { connections } from '#lib/messaging/schema/connections.ts';

export type ConnectionRow = typeof connections.$inferSelect;

/** The workspace's connection; undefined when there is none with this id. */
export async function findConnectionRow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
): Promise<ConnectionRow | undefined> {
  if (!isId(id)) return undefined;
  const [row] = await ctx.db
    .select()
    .from(connections)
    .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)));
  return row;
}

/** @throws AppError `not_found` */
export async function loadConnectionRow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
): Promise<ConnectionRow> {
  const row = await findConnectionRow(ctx, id);
  if (!row) throw noSuchConnection();
  return row;
}

/** The same, in one query with the others that this process reads at the same time. @throws AppError `not_found` */
export async function loadConnectionTogether(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
): Promise<ConnectionRow> {
  const row = isId(id) ? await connectionsTogether(ctx.db.$client).add(id) : undefined;
  if (row?.workspaceId !== ctx.workspaceId) throw noSuchConnection();
  return row;
}

const findByIds = perPool((pool) =>
  databaseOver(pool)
    .select()
    .from(connections)
    .where(sql`${connections.id} = any(${sql.placeholder('ids')})`)
    .prepare('find_connections'),
);

/** By id, of any workspace. */
const connectionsTogether = groupByPool(async (pool, ids: string[]) => {
  const rows = await findByIds(pool).execute({ ids: [...new Set(ids)] });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id): ConnectionRow | undefined => byId.get(id));
});

/**
 * Reads the name of the workspace's connection, and prevents its deletion until the transaction ends. @throws AppError
 * `not_found`
 */
export async function lockConnection(
  ctx: Pick<Context, 'workspaceId'>,
  tx: Pick<Transaction, 'select'>,
  id: string,
): Promise<{ id: string; name: string }> {
  if (!isId(id)) throw noSuchConnection();
  const [row] = await tx
    .select({ id: connections.id, name: connections.name })
    .from(connections)
    .where(and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId)))
    .for('key share');
  if (!row) throw noSuchConnection();
  return row;
}

export const noSuchConnection = (): AppError => new AppError('not_found', 'This connection does not exist.');

/**
 * Records an action on a connection in the audit log, with its name. @throws AppError `not_found` when it was deleted in the
 * meantime
 */
export async function recordUse(
  ctx: ActorContext,
  tx: Pick<Transaction, 'insert' | 'select'>,
  connectionId: string,
  action: string,
): Promise<void> {
  await recordAudit(ctx, tx, action, await lockConnection(ctx, tx, connectionId));
}
