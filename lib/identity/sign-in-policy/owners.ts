import { and, asc, eq, exists, inArray, ne, or } from 'drizzle-orm';
import type { Transaction } from '#lib/identity/context.ts';
import { memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { getSignInPolicy } from './get-sign-in-policy.ts';
import { listBreakGlassOwners } from './may-use-password.ts';

/** Locks all owners of a workspace, in one order: two owners who demote each other must not both succeed. */
export async function lockOwners(tx: Transaction, workspaceId: string): Promise<void> {
  await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, 'owner')))
    .orderBy(asc(memberships.userId))
    .for('update');
}

/**
 * Whether the workspace has another owner. Where sign-in with the identity provider is required, only those count who can
 * sign in: with an identity, or as break-glass owners with a password.
 */
export async function hasOtherOwner(tx: Transaction, workspaceId: string, userId: string): Promise<boolean> {
  const { requiresIdentity } = await getSignInPolicy(tx);
  const [other] = await tx
    .select({ userId: memberships.userId })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        eq(memberships.workspaceId, workspaceId),
        eq(memberships.role, 'owner'),
        ne(memberships.userId, userId),
        requiresIdentity ? await canSignIn(tx) : undefined,
      ),
    )
    .limit(1);
  return other !== undefined;
}

async function canSignIn(tx: Transaction) {
  const identity = tx
    .select({ userId: userIdentities.userId })
    .from(userIdentities)
    .where(eq(userIdentities.userId, users.id));
  const breakGlass = await listBreakGlassOwners(tx);
  return or(
    exists(identity),
    inArray(
      users.id,
      breakGlass.map(({ userId }) => userId),
    ),
  );
}
