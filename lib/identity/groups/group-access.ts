import { asc, desc, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { type Role, ROLE_LABELS } from '#lib/identity/roles/roles.ts';
import { memberships, userIdentities, users } from '#lib/identity/schema/accounts.ts';
import { groupAccess, groupRoles } from '#lib/identity/schema/sign-in.ts';
import { getSignInPolicy } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import type { GroupAccess } from './role-of-groups.ts';

/** Which groups give which roles in the workspace; null: invitations decide. */
export async function findGroupAccess({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<GroupAccess | null> {
  const [access] = await db.select().from(groupAccess).where(eq(groupAccess.workspaceId, workspaceId));
  if (!access) return null;
  const roles = await db
    .select({ group: groupRoles.groupName, role: groupRoles.role })
    .from(groupRoles)
    .where(eq(groupRoles.workspaceId, workspaceId))
    .orderBy(asc(groupRoles.groupName));
  return { groupRoles: roles, defaultRole: access.defaultRole };
}

/**
 * Lets groups decide the workspace's roles from the next sign-ins on, or invitations again.
 * @param access null: invitations decide
 */
export async function setGroupAccess(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  access: GroupAccess | null,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.delete(groupAccess).where(eq(groupAccess.workspaceId, ctx.workspaceId));
    if (access) {
      const { workspaceId } = ctx;
      await tx.insert(groupAccess).values({ workspaceId, defaultRole: access.defaultRole });
      const rows = access.groupRoles.map(({ group, role }) => ({ workspaceId, groupName: group, role }));
      if (rows.length > 0) await tx.insert(groupRoles).values(rows);
    }
    await recordAudit(ctx, tx, 'workspace.group_roles_changed', {
      id: ctx.workspaceId,
      name: describe(access),
    });
  });
}

/**
 * @throws AppError `conflict` where everybody signs in with the identity provider and groups decide: an invitation would not
 *   last
 */
export async function assertInvitationsLast(ctx: Pick<Context, 'db' | 'workspaceId'>): Promise<void> {
  const { requiresIdentity } = await getSignInPolicy(ctx.db);
  if (requiresIdentity && (await findGroupAccess(ctx)))
    throw new AppError(
      'conflict',
      'Groups of the identity provider decide who is in this workspace. Add the person to a group there instead.',
    );
}

/** Whether groups decide access to any workspace. */
export async function hasGroupAccess(db: Pick<Database, 'select'>): Promise<boolean> {
  return (await db.select({ id: groupAccess.workspaceId }).from(groupAccess).limit(1)).length > 0;
}

/** A user's groups from their last sign-in. */
export interface KnownGroups {
  userId: string;
  email: string;
  /** In the workspace. */
  role: Role;
  /** Null: the identity provider sent none. */
  groups: string[] | null;
  /** ISO 8601; null: not signed in since Patchbay reads groups. */
  signedInAt: string | null;
}

/** The groups of the members who use the identity provider, by email address. */
export async function listKnownGroups({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<KnownGroups[]> {
  const rows = await db
    .select({
      userId: users.id,
      email: users.email,
      role: memberships.role,
      groups: userIdentities.groups,
      signedInAt: userIdentities.signedInAt,
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(userIdentities, eq(userIdentities.userId, users.id))
    .where(eq(memberships.workspaceId, workspaceId))
    .orderBy(asc(users.email), asc(userIdentities.signedInAt));
  // Of several identities the most recently used one.
  const newest = new Map(rows.map((row) => [row.userId, row]));
  return [...newest.values()].map((row) => ({ ...row, signedInAt: row.signedInAt?.toISOString() ?? null }));
}

function describe(access: GroupAccess | null): string {
  if (!access) return 'off';
  const roles = access.groupRoles.map(({ group, role }) => `${group}: ${ROLE_LABELS[role]}`);
  const others = access.defaultRole === null ? 'no access' : ROLE_LABELS[access.defaultRole];
  return [...roles, `everybody else: ${others}`].join(', ');
}

export interface NoGroupAccess {
  /** Contact for access; empty: none. */
  accessContact: string;
  /** From the last sign-in; null: the identity provider sent none. */
  groups: string[] | null;
}

/** Why a user is in no workspace: their groups, or null where groups decide nothing about them. */
export async function explainNoAccess(db: Database, userId: string): Promise<NoGroupAccess | null> {
  const [identity] = await db
    .select({ groups: userIdentities.groups })
    .from(userIdentities)
    .where(eq(userIdentities.userId, userId))
    .orderBy(desc(userIdentities.signedInAt))
    .limit(1);
  if (!identity || !(await hasGroupAccess(db))) return null;
  const { accessContact } = await getSignInPolicy(db);
  return { accessContact, groups: identity.groups };
}
