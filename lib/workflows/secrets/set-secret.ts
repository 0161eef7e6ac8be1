import { count, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { nameOfActor, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { sealNamedSecret } from '#lib/secrets/named-secret.ts';
import { namedSecrets } from '#lib/secrets/schema.ts';
import type { SecretInput } from './schema.ts';

const MAX_SECRETS = 500;

/**
 * Adds a secret, or replaces its value, which tasks use from their next execution on.
 * @param mode `add`: refuses an existing name; `replace`: refuses a new one; left out: either
 * @throws AppError `conflict`, `not_found`
 */
export async function setSecret(
  ctx: ActorContext,
  { name, value, allowed_hosts: hosts }: SecretInput,
  mode?: 'add' | 'replace',
): Promise<void> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    const valueEncrypted = sealNamedSecret(ctx.secrets, workspaceId, name, value);
    const changes = {
      valueEncrypted,
      // Only together with the value: only users who know a secret may change where it is sent.
      ...(hosts === undefined ? {} : { allowedHosts: [...new Set(hosts)] }),
      setAt: new Date(),
      setBy: await nameOfActor(ctx.actor, tx),
    };
    const [row] = await tx
      .insert(namedSecrets)
      .values({ workspaceId, name, ...changes })
      .onConflictDoUpdate({ target: [namedSecrets.workspaceId, namedSecrets.name], set: changes })
      .returning({ isNew: sql<boolean>`xmax = 0` });
    const isNew = row?.isNew === true;
    if (isNew && mode === 'replace') throw noSuchSecret(name);
    if (!isNew && mode === 'add')
      throw new AppError(
        'conflict',
        `There is a secret ${name} already: replace its value, or enter another name.`,
      );
    if (isNew) await assertFew(tx, workspaceId);
    await recordAudit(ctx, tx, isNew ? 'secret.created' : 'secret.replaced', { id: name, name });
  });
}

export const noSuchSecret = (name: string): AppError =>
  new AppError('not_found', `There is no secret ${name} in this workspace.`);

async function assertFew(tx: Transaction, workspaceId: string): Promise<void> {
  const [row] = await tx
    .select({ secrets: count() })
    .from(namedSecrets)
    .where(eq(namedSecrets.workspaceId, workspaceId));
  if ((row?.secrets ?? 0) > MAX_SECRETS)
    throw new AppError('conflict', `A workspace can have ${MAX_SECRETS} secrets: delete some first.`);
}
