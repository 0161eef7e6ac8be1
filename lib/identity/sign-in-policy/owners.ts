import { and, asc, eq, exists, inArray, ne, or, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { breakGlassOwners } from '#lib/identity/schema/sign-in.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { getSignInPolicy, listBreakGlassOwners } from './sign-in-policy.ts';

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

export interface InstallationOwner {
  userId: string;
  email: string;
  hasPassword: boolean;
  /** Has signed in with the identity provider. */
  hasIdentity: boolean;
  isBreakGlass: boolean;
}

/**
 * The owners of the first workspace, by email address.
 * @param issuer of the identity provider; undefined: no owner has an identity
 */
export async function listInstallationOwners(
  db: Pick<Database, 'select'>,
  issuer: string | undefined,
): Promise<InstallationOwner[]> {
  const workspaceId = await findFirstWorkspace(db);
  if (workspaceId === null) return [];
  return db
    .select({
      userId: users.id,
      email: users.email,
      hasPassword: sql<boolean>`${users.passwordHash} is not null`,
      hasIdentity: sql<boolean>`exists (select from ${userIdentities}
        where ${userIdentities.userId} = ${users.id} and ${userIdentities.issuer} = ${issuer ?? null})`,
      isBreakGlass: sql<boolean>`${breakGlassOwners.userId} is not null`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(breakGlassOwners, eq(breakGlassOwners.userId, users.id))
    .where(and(eq(memberships.workspaceId, workspaceId), eq(memberships.role, 'owner')))
    .orderBy(asc(users.email));
}
