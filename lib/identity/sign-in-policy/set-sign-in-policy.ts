import { and, isNull, ne, notInArray, or } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { COMMAND_LINE, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Database } from '#lib/core/db/client.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { type InstallationOwner, listInstallationOwners, lockOwners } from './owners.ts';
import { userSessions } from '#lib/identity/schema/accounts.ts';
import { breakGlassOwners, signInPolicy } from '#lib/identity/schema/sign-in.ts';
import { proveAddress } from '#lib/identity/accounts.ts';
import { findFirstWorkspace } from '#lib/identity/workspaces/create-workspace.ts';
import { getSignInPolicy, type SignInPolicy } from './sign-in-policy.ts';
import type { SignInPolicyInput } from './schema.ts';

export interface PolicySetting {
  /** The identity provider's; undefined: none is set up. */
  issuer: string | undefined;
  /** The session that changes the policy and is kept; null for an API key. */
  sessionId: string | null;
  /** The sender's field name for the list of break-glass owners, for problems. */
  listName?: string;
}

/**
 * Sets the installation's sign-in policy. When passwords are turned off, sessions that started with one end, except those of
 * break-glass owners and the one of `sessionId`.
 * @throws AppError `forbidden` outside the first workspace; `conflict` when no owner could sign in any more, or no provider
 *   is set up; `invalid_request` for a break-glass owner who is no owner or has no password
 */
export async function setSignInPolicy(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { requiresIdentity, trustsEmails, breakGlassUserIds, accessContact }: SignInPolicyInput,
  { issuer, sessionId, listName = 'breakGlassUserIds' }: PolicySetting,
): Promise<{ endedSessions: number }> {
  return ctx.db.transaction(async (tx) => {
    await assertFirstWorkspace(ctx, tx);
    await lockOwners(tx, ctx.workspaceId);
    const owners = await listInstallationOwners(tx, issuer);
    const named = findNamed(owners, breakGlassUserIds, listName);
    if (requiresIdentity || trustsEmails) assertProvider(issuer);
    if (requiresIdentity) assertWayIn(owners, named);
    const before = await getSignInPolicy(tx);
    const trustedIssuer = trustsEmails ? (issuer ?? null) : null;
    await store(tx, { requiresIdentity, accessContact, trustedIssuer }, named);
    await recordAudit(ctx, tx, 'sign_in_policy.changed', {
      name: describe({ requiresIdentity, trustedIssuer }, named),
    });
    const endedSessions =
      requiresIdentity && !before.requiresIdentity ? await endPasswordSessions(tx, named, sessionId) : 0;
    return { endedSessions };
  });
}

function describe(
  { requiresIdentity, trustedIssuer }: Pick<SignInPolicy, 'requiresIdentity' | 'trustedIssuer'>,
  named: readonly InstallationOwner[],
): string {
  const passwords = `Passwords ${requiresIdentity ? 'for break-glass owners only' : 'for everybody'}`;
  const emails = named.map(({ email }) => email).join(', ') || 'none';
  const trust = trustedIssuer === null ? 'if verified' : `all of ${trustedIssuer}`;
  return `${passwords}; break-glass owners: ${emails}; trusted email addresses: ${trust}`;
}

/** Allows passwords again: for an administrator of the machine, when the identity provider is unavailable. */
export async function allowPasswords(db: Database): Promise<{ wereOff: boolean }> {
  return db.transaction(async (tx) => {
    const { requiresIdentity } = await getSignInPolicy(tx);
    await tx.update(signInPolicy).set({ requiresIdentity: false });
    const workspaceId = await findFirstWorkspace(tx);
    if (requiresIdentity && workspaceId !== null)
      await recordAudit({ workspaceId, actor: COMMAND_LINE }, tx, 'sign_in_policy.changed', {
        name: 'Passwords for everybody',
      });
    return { wereOff: requiresIdentity };
  });
}

/** The installation belongs to the owners of its first workspace. @throws AppError `forbidden` */
async function assertFirstWorkspace(
  { workspaceId }: Pick<ActorContext, 'workspaceId'>,
  tx: Transaction,
): Promise<void> {
  if ((await findFirstWorkspace(tx)) !== workspaceId)
    throw new AppError(
      'forbidden',
      'Only owners of the first workspace of this installation can change how people sign in.',
    );
}

function findNamed(
  owners: readonly InstallationOwner[],
  userIds: readonly string[],
  path: string,
): InstallationOwner[] {
  return userIds.map((userId) => {
    const owner = owners.find((candidate) => candidate.userId === userId);
    if (owner?.hasPassword) return owner;
    const message = owner
      ? `${owner.email} has no password. They set one in Settings → Your account first.`
      : 'Name owners of the first workspace only.';
    throw new AppError('invalid_request', message, { problems: [{ path, message }] });
  });
}

/** @throws AppError `conflict` */
function assertProvider(issuer: string | undefined): void {
  if (issuer === undefined)
    throw new AppError(
      'conflict',
      'No identity provider is set up. Set AUTH_OIDC_ISSUER and AUTH_OIDC_CLIENT_ID, restart Patchbay and sign in with it once.',
    );
}

/** @throws AppError `conflict` when no owner could sign in */
function assertWayIn(owners: readonly InstallationOwner[], named: readonly InstallationOwner[]): void {
  if (named.length > 0 || owners.some(({ hasIdentity }) => hasIdentity)) return;
  throw new AppError(
    'conflict',
    'Nobody could sign in as an owner. Sign in with the identity provider once, or name a break-glass owner who has a password.',
  );
}

async function store(
  tx: Transaction,
  policy: SignInPolicy,
  named: readonly InstallationOwner[],
): Promise<void> {
  await tx.insert(signInPolicy).values(policy).onConflictDoUpdate({ target: signInPolicy.id, set: policy });
  const ids = named.map(({ userId }) => userId);
  await tx.delete(breakGlassOwners).where(notInArray(breakGlassOwners.userId, ids));
  // Owners who name an account vouch for it: its password is the way in when the provider is unavailable.
  for (const id of ids) await proveAddress(tx, id);
  if (ids.length > 0)
    await tx
      .insert(breakGlassOwners)
      .values(ids.map((userId) => ({ userId })))
      .onConflictDoNothing();
}

async function endPasswordSessions(
  tx: Transaction,
  named: readonly InstallationOwner[],
  sessionId: string | null,
): Promise<number> {
  const ended = await tx
    .delete(userSessions)
    .where(
      and(
        or(isNull(userSessions.signedInBy), ne(userSessions.signedInBy, 'provider')),
        sessionId === null ? undefined : ne(userSessions.id, sessionId),
        notInArray(
          userSessions.userId,
          named.map(({ userId }) => userId),
        ),
      ),
    )
    .returning({ id: userSessions.id });
  return ended.length;
}
