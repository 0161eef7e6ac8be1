import { eq } from 'drizzle-orm';
import { isId, newId } from '#lib/core/ids.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { keyIdOf } from '#lib/identity/key-actor.ts';
import { auditEntries, memberships, users } from '#lib/identity/schema/accounts.ts';
import { apiKeys } from '#lib/identity/schema/workspaces.ts';

/** Actor of commands on the machine (docs/operations.md), as `ctx.actor`. */
export const COMMAND_LINE = 'command-line';
/** Actor of changes by the identity provider's groups (docs/decisions/identity-provider.md), as `ctx.actor`. */
export const IDENTITY_PROVIDER = 'identity-provider';
/** Actor of removals after a retention time, as `ctx.actor`. */
export const HOUSEKEEPING = 'housekeeping';

export interface AuditTarget {
  id?: string;
  /** Its current name, which the record keeps. */
  name?: string;
}

/**
 * Records that `ctx.actor` did something. Called by the verb that does it, so that the API and the screens record the same.
 * @param tx the transaction of the change, so that both are committed or neither. Changes at the platform cannot be rolled
 *   back: they are recorded as soon as the platform has accepted them, with what the verb then stores
 * @param action `<thing>.<past participle>`, such as `workflow.published`
 */
export async function recordAudit(
  ctx: Pick<ActorContext, 'workspaceId' | 'actor'>,
  tx: Pick<Transaction, 'insert' | 'select'>,
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

/** The name of an actor in the audit log. */
export async function nameOfActor(actor: string, tx: Pick<Transaction, 'select'>): Promise<string> {
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

export interface AccountEntry {
  account: { id: string; email: string };
  actor: string;
  action: string;
  /** The part of the account that was changed; left out: the account, by its email address. */
  name?: string | undefined;
}

/** Records a change of an account in each of its workspaces, because it belongs to none of them. */
export async function recordForAccount(
  tx: Transaction,
  { account, actor, action, name = account.email }: AccountEntry,
): Promise<void> {
  const workspaces = await tx
    .select({ workspaceId: memberships.workspaceId })
    .from(memberships)
    .where(eq(memberships.userId, account.id));
  for (const { workspaceId } of workspaces)
    await recordAudit({ workspaceId, actor }, tx, action, { id: account.id, name });
}
