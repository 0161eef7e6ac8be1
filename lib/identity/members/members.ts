import { and, asc, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { type Role, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { twoFactor } from '#lib/identity/schema/sign-in.ts';
import { hasOtherOwner, lockOwners } from '#lib/identity/sign-in-policy/owners.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import type { Member } from './schema.ts';

/** All members of the workspace, by email address. */
export async function listMembers(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<Member[]> {
  const rows = await ctx.db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      joinedAt: memberships.createdAt,
      hasTwoFactor: sql<boolean>`${twoFactor.confirmedAt} is not null`,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .leftJoin(twoFactor, eq(twoFactor.userId, users.id))
    .where(eq(memberships.workspaceId, ctx.workspaceId))
    .orderBy(asc(users.email));
  return rows.map((row) => ({ ...row, joinedAt: row.joinedAt.toISOString() }));
}

type MemberContext = Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>;

/** Changes a member's role. @throws AppError `not_found`; `conflict` for the last owner */
export async function changeRole(
  ctx: MemberContext,
  { userId, role }: { userId: string; role: Role },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const member = await lockMember(ctx, tx, userId);
    if (member.role === role) return;
    if (role !== 'owner') await assertOtherOwner(ctx, tx, userId);
    await tx.update(memberships).set({ role }).where(ofMember(ctx, userId));
    const name = `${member.email}: ${ROLE_LABELS[member.role]} → ${ROLE_LABELS[role]}`;
    await recordAudit(ctx, tx, 'member.role_changed', { id: userId, name });
  });
}

/**
 * Removes a member from the workspace at once.
 * @throws AppError `not_found`; `conflict` for the last owner
 */
export async function removeMember(ctx: MemberContext, { userId }: { userId: string }): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const member = await lockMember(ctx, tx, userId);
    await assertOtherOwner(ctx, tx, userId);
    await tx.delete(memberships).where(ofMember(ctx, userId));
    await recordAudit(ctx, tx, 'member.removed', { id: userId, name: member.email });
  });
}

/** Ends the user's own membership. @throws AppError `not_found`; `conflict` for the last owner */
export async function leaveWorkspace(
  db: ActorContext['db'],
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<void> {
  if (!isId(workspaceId)) throw new AppError('not_found', 'You are not a member of this workspace.');
  const ctx = { db, workspaceId, actor: userId };
  await db.transaction(async (tx) => {
    const member = await lockMember(ctx, tx, userId);
    await assertOtherOwner(ctx, tx, userId);
    await tx.delete(memberships).where(ofMember(ctx, userId));
    await recordAudit(ctx, tx, 'member.left', { id: userId, name: member.email });
  });
}

const ofMember = (ctx: MemberContext, userId: string) =>
  and(eq(memberships.workspaceId, ctx.workspaceId), eq(memberships.userId, userId));

/** Locks the member and, in one order, all owners: two owners who demote each other must not both succeed. */
async function lockMember(
  ctx: MemberContext,
  tx: Transaction,
  userId: string,
): Promise<{ email: string; role: Role }> {
  await lockOwners(tx, ctx.workspaceId);
  const [member] = isId(userId)
    ? await tx
        .select({ email: users.email, role: memberships.role })
        .from(memberships)
        .innerJoin(users, eq(users.id, memberships.userId))
        .where(ofMember(ctx, userId))
        .for('update', { of: memberships })
    : [];
  if (!member) throw new AppError('not_found', 'This person is not a member of this workspace.');
  return member;
}

async function assertOtherOwner(ctx: MemberContext, tx: Transaction, userId: string): Promise<void> {
  if (await hasOtherOwner(tx, ctx.workspaceId, userId)) return;
  const { requiresIdentity } = await getSignInPolicy(tx);
  throw new AppError(
    'conflict',
    requiresIdentity
      ? 'A workspace needs an owner who can sign in: with the identity provider, or as a break-glass owner. Make someone else such an owner first.'
      : 'A workspace needs an owner. Make someone else an owner first.',
  );
}
