import { asc, eq } from 'drizzle-orm';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { KnownSecret } from '#lib/secrets/named-secret.ts';
import { namedSecrets } from '#lib/secrets/schema.ts';
import { listSecretUses } from './list-secret-uses.ts';
import type { Secret } from './schema.ts';

/** The secrets of the workspace by name, without their values, with the workflows that use them. */
export async function listSecrets(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Secret[]> {
  const { name, allowedHosts, createdAt, setAt, setBy, workspaceId } = namedSecrets;
  const [rows, uses] = await Promise.all([
    ctx.db
      .select({ name, allowedHosts, createdAt, setAt, setBy })
      .from(namedSecrets)
      .where(eq(workspaceId, ctx.workspaceId))
      .orderBy(asc(name)),
    listSecretUses(ctx.db, ctx.workspaceId),
  ]);
  return rows.map((row) => ({
    name: row.name,
    allowed_hosts: row.allowedHosts,
    created_at: row.createdAt.toISOString(),
    set_at: row.setAt.toISOString(),
    set_by: row.setBy,
    used_by: uses.get(row.name) ?? [],
  }));
}

/** Secrets for the editor's picker, and for checking their use. */
export async function listKnownSecrets(
  { workspaceId }: Pick<Context, 'workspaceId'>,
  db: Context['db'] | Transaction,
): Promise<KnownSecret[]> {
  return db
    .select({ name: namedSecrets.name, allowedHosts: namedSecrets.allowedHosts })
    .from(namedSecrets)
    .where(eq(namedSecrets.workspaceId, workspaceId))
    .orderBy(asc(namedSecrets.name));
}
