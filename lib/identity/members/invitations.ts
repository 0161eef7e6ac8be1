import { createHash, randomBytes } from 'node:crypto';
import { and, desc, eq, isNull } from 'drizzle-orm';
import { invitations } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { ROLE_LABELS } from './roles.ts';
import type { Invitation, NewInvitation } from './schema.ts';

const DAY_MS = 86_400_000;

/** What is kept of an invitation's token: it is random, so a plain hash will do. */
export const hashInvitationToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Makes an invitation. The link is in this answer only. */
export async function createInvitation(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor' | 'baseUrl'>,
  { note, role, days }: NewInvitation,
): Promise<{ id: string; url: string }> {
  const token = randomBytes(24).toString('base64url');
  const id = newId();
  await ctx.db.transaction(async (tx) => {
    await tx.insert(invitations).values({
      id,
      workspaceId: ctx.workspaceId,
      tokenHash: hashInvitationToken(token),
      note,
      role,
      createdBy: ctx.actor,
      expiresAt: new Date(Date.now() + days * DAY_MS),
    });
    await recordAudit(ctx, tx, 'invitation.created', { id, name: describe(note, ROLE_LABELS[role]) });
  });
  return { id, url: `${ctx.baseUrl}/invitations/${token}` };
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
  return rows.map(({ id, note, role, createdAt, expiresAt }) => ({
    id,
    note,
    role,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    expired: expiresAt <= new Date(),
  }));
}

/** Makes an open invitation's link useless. @throws AppError `not_found` */
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
