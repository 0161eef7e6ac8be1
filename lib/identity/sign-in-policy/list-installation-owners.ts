import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { breakGlassOwners } from '#lib/identity/schema/sign-in.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';

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
