import { and, desc, eq, gt, inArray, isNull, or } from 'drizzle-orm';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { assertInvitationsLast } from '#lib/identity/groups/group-access.ts';
import { type Role, ROLE_LABELS, rolesBelow } from '#lib/identity/roles/roles.ts';
import { invitations, memberships, users } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { proveAddress } from '#lib/identity/accounts.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import type { Invitation, NewInvitation } from './schema.ts';

const DAY_MS = 86_400_000;

/**
 * Creates an invitation and returns its link. For an address, only its account can accept it, and the mail contains a second
 * link: opening that one proves the address.
 * @throws AppError `conflict` where only groups decide who is in the workspace
 */
export async function createInvitation(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor' | 'baseUrl' | 'secrets'>,
  { note: given, role, days, email }: NewInvitation,
): Promise<{ id: string; url: string }> {
  await assertInvitationsLast(ctx);
  const token = newToken();
  const mailedToken = email === undefined ? null : newToken();
  const id = newId();
  const urlOf = (secret: string) => `${ctx.baseUrl}/invitations/${secret}`;
  const note = given || (email ?? '');
  await ctx.db.transaction(async (tx) => {
    await tx.insert(invitations).values({
      id,
      workspaceId: ctx.workspaceId,
      tokenHash: hashToken(token),
      mailedTokenHash: mailedToken === null ? null : hashToken(mailedToken),
      email: email ?? null,
      note,
      role,
      createdBy: ctx.actor,
      expiresAt: new Date(Date.now() + days * DAY_MS),
    });
    await recordAudit(ctx, tx, 'invitation.created', { id, name: describe(note, ROLE_LABELS[role]) });
    if (email !== undefined && mailedToken !== null)
      await mailInvitation(ctx, tx, { to: email, role, days, url: urlOf(mailedToken) });
  });
  return { id, url: urlOf(token) };
}

async function mailInvitation(
  { workspaceId, secrets }: Pick<ActorContext, 'workspaceId' | 'secrets'>,
  tx: Transaction,
  { to, role, days, url }: { to: string; role: Role; days: number; url: string },
): Promise<void> {
  const [workspace] = await tx
    .select({ name: workspaces.name })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  await queueMail(tx, secrets, {
    kind: 'invitation',
    to,
    usefulSeconds: (days * DAY_MS) / 1000,
    subject: `Join “${workspace?.name ?? ''}” on Patchbay`,
    paragraphs: [
      `You are invited to the workspace “${workspace?.name ?? ''}” as ${ROLE_LABELS[role]}.`,
      `The link works once, with the address ${to}, for ${days === 1 ? '1 day' : `${days} days`}.`,
    ],
    link: { label: 'Accept invitation', url },
  });
}

/** Invitations that were neither accepted nor revoked, newest first. */
export async function listInvitations(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Invitation[]> {
  const rows = await ctx.db
    .select()
    .from(invitations)
    .where(
      and(
        eq(invitations.workspaceId, ctx.workspaceId),
        isNull(invitations.acceptedAt),
        isNull(invitations.revokedAt),
      ),
    )
    .orderBy(desc(invitations.id));
  return rows.map(({ id, note, email, role, createdAt, expiresAt }) => ({
    id,
    note,
    email,
    role,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    expired: expiresAt <= new Date(),
  }));
}

/** Invalidates an open invitation's link. @throws AppError `not_found` */
export async function revokeInvitation(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { id }: { id: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [revoked] = isId(id)
      ? await tx
          .update(invitations)
          .set({ revokedAt: new Date() })
          .where(
            and(
              eq(invitations.id, id),
              eq(invitations.workspaceId, ctx.workspaceId),
              isNull(invitations.acceptedAt),
              isNull(invitations.revokedAt),
            ),
          )
          .returning({ note: invitations.note, role: invitations.role })
      : [];
    if (!revoked) throw new AppError('not_found', 'This invitation does not exist or is no longer open.');
    const name = describe(revoked.note, ROLE_LABELS[revoked.role]);
    await recordAudit(ctx, tx, 'invitation.revoked', { id, name });
  });
}

const describe = (note: string, role: string): string => (note ? `${note} (${role})` : role);

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
