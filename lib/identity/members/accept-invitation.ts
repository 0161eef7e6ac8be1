import { and, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { invitations, memberships, users } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { proveAddress } from '#lib/identity/unproven-address.ts';
import { ROLE_LABELS, type Role, rolesBelow } from '#lib/identity/roles/roles.ts';

const openInvitation = (tokenHash: Buffer) =>
  and(
    or(eq(invitations.tokenHash, tokenHash), eq(invitations.mailedTokenHash, tokenHash)),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, new Date()),
  );

/**
 * The content of an open invitation, and its recipient (`email`; null: anybody); null when it was used, revoked, has expired,
 * or never existed.
 */
export async function findInvitation(
  db: Database,
  token: string,
): Promise<{ workspaceName: string; role: Role; email: string | null } | null> {
  const [found] = await db
    .select({ workspaceName: workspaces.name, role: invitations.role, email: invitations.email })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .where(openInvitation(hashToken(token)));
  return found ?? null;
}

/**
 * Joins the workspace: an invitation works once. Existing members never lose rights by it. An invitation for an address can
 * only be accepted by its account, and its mailed link proves the address.
 * @returns the workspace's id
 * @throws AppError `not_found` when the invitation is not open any more; `forbidden` for another address
 */
export async function acceptInvitation(
  db: Database,
  { token, userId }: { token: string; userId: string },
): Promise<string> {
  return db.transaction((tx) => useInvitation(tx, token, userId));
}

/** The same in an existing transaction, which for example creates the account first. */
export async function useInvitation(tx: Transaction, token: string, userId: string): Promise<string> {
  const tokenHash = hashToken(token);
  const [invitation] = await tx
    .update(invitations)
    .set({ acceptedAt: new Date(), acceptedBy: userId })
    .where(openInvitation(tokenHash))
    .returning();
  if (!invitation) {
    throw new AppError(
      'not_found',
      'This invitation was used, was revoked or has expired. Ask the person who sent it for a new one.',
    );
  }
  const { workspaceId, role, email, mailedTokenHash } = invitation;
  await assertInvited(tx, email, userId);
  if (mailedTokenHash?.equals(tokenHash)) await proveAddress(tx, userId);
  // Compared in the statement: another invitation of the same person may be accepted at the same time.
  await tx
    .insert(memberships)
    .values({ workspaceId, userId, role })
    .onConflictDoUpdate({
      target: [memberships.workspaceId, memberships.userId],
      set: { role },
      setWhere: inArray(memberships.role, [...rolesBelow(role)]),
    });
  const ctx = { workspaceId, actor: userId };
  await recordAudit(ctx, tx, 'invitation.accepted', { id: invitation.id, name: ROLE_LABELS[role] });
  return workspaceId;
}

async function assertInvited(tx: Transaction, email: string | null, userId: string): Promise<void> {
  if (email === null) return;
  const [user] = await tx.select({ email: users.email }).from(users).where(eq(users.id, userId));
  if (user?.email === email) return;
  throw new AppError('forbidden', `This invitation is for ${email}. Sign in with that address to accept it.`);
}
