import { and, eq, gt, inArray, isNull } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { invitations, memberships } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { hashInvitationToken } from './invitations.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { ROLE_LABELS, type Role, rolesBelow } from './roles.ts';

const openInvitation = (token: string) =>
  and(
    eq(invitations.tokenHash, hashInvitationToken(token)),
    isNull(invitations.acceptedAt),
    isNull(invitations.revokedAt),
    gt(invitations.expiresAt, new Date()),
  );

/** What an open invitation offers; null when it was used, revoked, has ended, or never was. */
export async function findInvitation(
  db: Database,
  token: string,
): Promise<{ workspaceName: string; role: Role } | null> {
  const [found] = await db
    .select({ workspaceName: workspaces.name, role: invitations.role })
    .from(invitations)
    .innerJoin(workspaces, eq(workspaces.id, invitations.workspaceId))
    .where(openInvitation(token));
  return found ?? null;
}

/**
 * Joins the workspace: an invitation works once. Who is a member already never loses rights by it.
 * @returns the workspace's id. @throws AppError `not_found` when the invitation is not open any more.
 */
export async function acceptInvitation(
  db: Database,
  { token, userId }: { token: string; userId: string },
): Promise<string> {
  return db.transaction((tx) => useInvitation(tx, token, userId));
}

/** The same within a transaction that, for example, makes the account first. */
export async function useInvitation(tx: Transaction, token: string, userId: string): Promise<string> {
  const [invitation] = await tx
    .update(invitations)
    .set({ acceptedAt: new Date(), acceptedBy: userId })
    .where(openInvitation(token))
    .returning();
  if (!invitation) {
    throw new AppError(
      'not_found',
      'This invitation was used, was revoked or has expired. Ask the person who sent it for a new one.',
    );
  }
  const { workspaceId, role } = invitation;
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
