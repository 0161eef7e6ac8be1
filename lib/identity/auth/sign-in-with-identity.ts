import { and, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { newId } from '#lib/core/ids.ts';
import { IDENTITY_PROVIDER, recordForAccount } from '#lib/identity/audit/record-audit.ts';
import { applyGroupRoles } from '#lib/identity/groups/apply-group-roles.ts';
import { hasGroupAccess } from '#lib/identity/groups/group-access.ts';
import { emailSchema } from '#lib/identity/members/schema.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { removeUnprovenPassword, removeUnprovenSignIns } from '#lib/identity/accounts.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { startInZone } from '#lib/identity/workspaces/workspace-time.ts';
import { claimFirstStart, joinAsOwner } from './create-account.ts';
import { SignInProblemError } from './sign-in-problem.ts';

export interface Identity {
  issuer: string;
  subject: string;
  email: string | undefined;
  /** Null: the provider does not say. */
  emailVerified: boolean | null;
  /** Null: the provider sent none. */
  groups: readonly string[] | null;
  /** They did not fit into the token, and so are unknown. */
  hasTooManyGroups?: boolean;
  /** Whether the first user may own the installation; false where that requires the setup code. */
  mayBecomeOwner: boolean;
  /** Of the browser, for the first workspace; one that is not known is left out. */
  zone?: string | undefined;
}

/**
 * Finds or creates the user of an account at the identity provider. A new identity is linked to the user of its email
 * address: the provider must have verified it, or be trusted where it does not say so (Settings → Sign-in). Where there is no
 * such user, one is created that is in no workspace until invited; on the first start it becomes the owner. A user whose
 * address was not verified can be taken over: a user with the verified address gets the account, and ends the sign-ins that
 * created it. Where groups decide roles, they are applied now.
 * @throws SignInProblemError `email_missing`, `email_unverified`, `email_not_confirmed`, `no_owner`; `too_many_groups` where
 *   groups decide roles
 */
export async function signInWithIdentity(db: Database, identity: Identity): Promise<{ id: string }> {
  const { issuer, subject } = identity;
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    const first = await claimFirstStart(tx);
    if (first && !identity.mayBecomeOwner) throw new SignInProblemError('no_owner');
    if (identity.hasTooManyGroups && (await hasGroupAccess(tx)))
      throw new SignInProblemError('too_many_groups');
    const same = and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject));
    const [known] = await tx
      .select({ id: userIdentities.userId, email: users.email })
      .from(userIdentities)
      .innerJoin(users, eq(users.id, userIdentities.userId))
      .where(same);
    const user = known ?? (await tieIdentity(tx, identity));
    const groups = identity.groups === null ? null : [...identity.groups];
    const isProven = identity.emailVerified === true && identity.email?.toLowerCase() === user.email;
    await tx
      .update(userIdentities)
      .set({ groups, signedInAt: new Date(), ...(isProven ? { isAddressUnproven: false } : {}) })
      .where(same);
    if (first) {
      await joinAsOwner(tx, workspaceId, user.id);
      await startInZone(tx, { workspaceId, zone: identity.zone ?? '' });
    }
    await applyGroupRoles(tx, { userId: user.id, email: user.email, groups: groups ?? [] });
    return { id: user.id };
  });
}

async function tieIdentity(
  tx: Transaction,
  { issuer, subject, email, emailVerified }: Identity,
): Promise<{ id: string; email: string }> {
  const address = emailSchema.safeParse(email);
  if (!address.success) throw new SignInProblemError('email_missing');
  const [found] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.email, address.data));
  if (!found) {
    const user = { id: newId(), email: address.data };
    await tx.insert(users).values(user);
    const isProven = emailVerified ?? (await isTrustedIssuer(tx, issuer));
    await tx
      .insert(userIdentities)
      .values({ issuer, subject, userId: user.id, isAddressUnproven: !isProven });
    return user;
  }
  const why = await whyTrusted(tx, { issuer, emailVerified });
  await removeUnprovenPassword(tx, found.id);
  const removed = await removeUnprovenSignIns(tx, found.id);
  await tx.insert(userIdentities).values({ issuer, subject, userId: found.id });
  await recordForAccount(tx, {
    account: found,
    actor: IDENTITY_PROVIDER,
    action: 'account.identity_linked',
    name: `${found.email} (${why}${removed ? '; earlier sign-ins without a verified address were removed' : ''})`,
  });
  return found;
}

/** Why an address may open its account. @throws SignInProblemError when it may not */
async function whyTrusted(
  tx: Transaction,
  { issuer, emailVerified }: Pick<Identity, 'issuer' | 'emailVerified'>,
): Promise<string> {
  if (emailVerified) return 'address verified by the provider';
  if (emailVerified === false) throw new SignInProblemError('email_unverified');
  if (!(await isTrustedIssuer(tx, issuer))) throw new SignInProblemError('email_not_confirmed');
  return 'addresses of the provider are trusted';
}

const isTrustedIssuer = async (tx: Transaction, issuer: string): Promise<boolean> =>
  (await getSignInPolicy(tx)).trustedIssuer === issuer;
