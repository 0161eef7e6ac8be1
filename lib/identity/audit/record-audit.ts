import { eq } from 'drizzle-orm';
import { auditEntries, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';
import { isId, newId } from '#lib/core/ids.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { keyIdOf } from '#lib/identity/key-actor.ts';

/** Who uses the command line of the machine (docs/operations.md), as `ctx.actor`. */
export const COMMAND_LINE = 'command-line';
/** What the groups of the identity provider decide (docs/decisions/identity-provider.md), as `ctx.actor`. */
export const IDENTITY_PROVIDER = 'identity-provider';
/** What is removed once its time has passed, as `ctx.actor`. */
export const HOUSEKEEPING = 'housekeeping';

export interface AuditTarget {
  id?: string;
  /** As it is called now: the record keeps it. */
  name?: string;
}

/**
 * Records that `ctx.actor` did something. Called by the verb that does it, so that the API and the screens record the same.
 * @param tx the transaction in which it is done, so that neither is there without the other. What the platform does
 *   cannot be taken back: it is recorded as soon as the platform has accepted it, with what the verb then stores.
 * @param action `<thing>.<past participle>`, such as `workflow.published`.
 */
export async function recordAudit(
  ctx: Pick<ActorContext, 'workspaceId' | 'actor'>,
  tx: Transaction,
  action: string,
  target: AuditTarget = {},
): Promise<void> {
  await tx.insert(auditEntries).values({
    id: newId(),
    workspaceId: ctx.workspaceId,
    actorId: ctx.actor,
    actorName: await nameOfActor(ctx.actor, tx),
    action,
    targetId: target.id,
    targetName: target.name,
  });
}

/** What the audit log calls somebody who acts. */
export async function nameOfActor(actor: string, tx: Transaction): Promise<string> {
  if (actor === COMMAND_LINE) return 'Command line';
  if (actor === IDENTITY_PROVIDER) return 'Identity provider';
  if (actor === HOUSEKEEPING) return 'Automatic cleanup';
  const keyId = keyIdOf(actor);
  if (keyId !== undefined && isId(keyId)) {
    const [key] = await tx.select({ name: apiKeys.name }).from(apiKeys).where(eq(apiKeys.id, keyId));
    return key ? `API key “${key.name}”` : 'an API key that was removed';
  }
  if (!isId(actor)) return 'API key of the environment';
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, actor));
  return user?.email ?? 'a removed member';
}
