import { and, asc, eq, isNotNull } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { breakGlassOwners, signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';

/** The installation's sign-in policy (docs/decisions/identity-provider.md). */
export interface SignInPolicy {
  /** Passwords are for break-glass owners only. */
  requiresIdentity: boolean;
  /** Contact for users without access; empty: none. */
  accessContact: string;
  /** The identity provider whose email addresses are trusted without verification; null: none. */
  trustedIssuer: string | null;
}

/** The policy; by default, passwords are allowed. */
export async function getSignInPolicy(db: Pick<Database, 'select'>): Promise<SignInPolicy> {
  const [row] = await db
    .select({
      requiresIdentity: signInPolicy.requiresIdentity,
      accessContact: signInPolicy.accessContact,
      trustedIssuer: signInPolicy.trustedIssuer,
    })
    .from(signInPolicy);
  return row ?? { requiresIdentity: false, accessContact: '', trustedIssuer: null };
}

/**
 * Compares issuers, because another provider may be set up since.
 * @param issuer of the current one; undefined: none is set up
 */
export const trustsEmailsOf = ({ trustedIssuer }: SignInPolicy, issuer: string | undefined): boolean =>
  issuer !== undefined && trustedIssuer === issuer;

/**
 * Accounts that may use a password although sign-in with the identity provider is required: named owners of the first
 * workspace, while they are owners and have a password. By email address.
 */
export async function listBreakGlassOwners(
  db: Pick<Database, 'select'>,
): Promise<{ userId: string; email: string }[]> {
  const workspaceId = await findFirstWorkspace(db);
  if (workspaceId === null) return [];
  return db
    .select({ userId: users.id, email: users.email })
    .from(breakGlassOwners)
    .innerJoin(users, eq(users.id, breakGlassOwners.userId))
    .innerJoin(memberships, eq(memberships.userId, users.id))
    .where(
      and(
        eq(memberships.workspaceId, workspaceId),
        eq(memberships.role, 'owner'),
        isNotNull(users.passwordHash),
      ),
    )
    .orderBy(asc(users.email));
}

/** Whether a password or passkey is accepted: always, unless sign-in with the identity provider is required. */
export async function mayUsePassword(db: Pick<Database, 'select'>, userId: string): Promise<boolean> {
  const { requiresIdentity } = await getSignInPolicy(db);
  if (!requiresIdentity) return true;
  return (await listBreakGlassOwners(db)).some((owner) => owner.userId === userId);
}

/** The error for a right password or passkey where the identity provider is required. */
export const identityRequired = (given: 'password' | 'passkey' = 'password'): AppError =>
  new AppError(
    'forbidden',
    `This installation requires you to sign in with the identity provider. Your ${given} is not used here.`,
  );

/** @throws AppError `forbidden` where sign-in with the identity provider is required */
export async function assertPasswordsAreOn(db: Pick<Database, 'select'>): Promise<void> {
  if ((await getSignInPolicy(db)).requiresIdentity) throw identityRequired();
}
