import { eq } from 'drizzle-orm';
import { auditEntries, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { isId, newId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { keyIdOf } from '#lib/identity/key-actor.ts';

export interface AuditTarget {
  id?: string;
  /** As it is called now: the record keeps it. */
  name?: string;
}

/**
 * Records that `ctx.actor` did something. @param action `<thing>.<past participle>`, such as `workflow.published`.
 * @param db the transaction in which it was done, so that neither is there without the other.
 */
export async function recordAudit(
  ctx: Pick<Context, 'workspaceId' | 'actor' | 'db'>,
  action: string,
  target: AuditTarget = {},
  db: Context['db'] | Transaction = ctx.db,
): Promise<void> {
  await db.insert(auditEntries).values({
    id: newId(),
    workspaceId: ctx.workspaceId,
    actorId: ctx.actor,
    actorName: await nameOf(ctx.actor, db),
    action,
    targetId: target.id,
    targetName: target.name,
  });
}

async function nameOf(actor: string | undefined, db: Context['db'] | Transaction): Promise<string> {
  if (actor === undefined) return 'Patchbay';
  const keyId = keyIdOf(actor);
  if (keyId !== undefined && isId(keyId)) {
    const [key] = await db.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, keyId));
    return key ? `API key “${key.name}”` : 'an API key that was removed';
  }
  if (!isId(actor)) return 'API key of the environment';
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, actor));
  return user?.email ?? 'a removed member';
}
