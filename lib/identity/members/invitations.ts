import { and, desc, eq, isNull } from 'drizzle-orm';
import { invitations } from '#lib/identity/schema/accounts.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { assertInvitationsLast } from '#lib/identity/groups/group-access.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { type Role, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
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
