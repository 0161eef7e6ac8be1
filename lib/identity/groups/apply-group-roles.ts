import { and, asc, eq, inArray } from 'drizzle-orm';
import { IDENTITY_PROVIDER, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { hasOtherOwner, lockOwners } from '#lib/identity/sign-in-policy/owners.ts';
import { ROLE_LABELS, type Role } from '#lib/identity/roles/roles.ts';
import { memberships } from '#lib/identity/schema/accounts.ts';
import { groupAccess, groupRoles } from '#lib/identity/schema/sign-in.ts';
import { listBreakGlassOwners } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { type RoleByGroup, roleOfGroups } from './role-of-groups.ts';

export interface GroupMember {
  userId: string;
  email: string;
  /** As the identity provider sent them now. */
  groups: readonly string[];
}

/**
 * Applies the roles of a user's groups at sign-in, in every workspace where groups decide: adds, promotes, demotes and
 * removes. The last owner of a workspace stays one, and so does a break-glass owner.
 */
export async function applyGroupRoles(tx: Transaction, member: GroupMember): Promise<void> {
  const spaces = await tx
    .select({
      workspaceId: groupAccess.workspaceId,
      defaultRole: groupAccess.defaultRole,
      role: memberships.role,
    })
    .from(groupAccess)
    .leftJoin(
      memberships,
      and(eq(memberships.workspaceId, groupAccess.workspaceId), eq(memberships.userId, member.userId)),
    )
    .orderBy(asc(groupAccess.workspaceId));
  if (spaces.length === 0) return;
  const roles = await rolesOf(tx, member.groups);
  for (const { workspaceId, defaultRole, role } of spaces) {
    const access = { groupRoles: roles.filter((row) => row.workspaceId === workspaceId), defaultRole };
    const next = roleOfGroups(access, member.groups);
    if (next.role !== role) await change(tx, { workspaceId, member, role, next });
  }
}

interface Change {
  workspaceId: string;
  member: GroupMember;
  role: Role | null;
  next: RoleByGroup;
}

async function change(tx: Transaction, { workspaceId, member, role, next }: Change): Promise<void> {
  const ctx = { workspaceId, actor: IDENTITY_PROVIDER };
  const { userId, email } = member;
  if (role === 'owner' && (await staysOwner(tx, workspaceId, userId))) return;
  const ofMember = and(eq(memberships.workspaceId, workspaceId), eq(memberships.userId, userId));
  const before = role === null ? 'no access' : ROLE_LABELS[role];
  const after = next.role === null ? 'no access' : ROLE_LABELS[next.role];
  const name = `${email}: ${before} → ${after} (${next.group === null ? 'in no group of the list' : `group ${next.group}`})`;
  if (next.role === null) {
    await tx.delete(memberships).where(ofMember);
    return recordAudit(ctx, tx, 'member.removed', { id: userId, name });
  }
  await tx
    .insert(memberships)
    .values({ workspaceId, userId, role: next.role })
    .onConflictDoUpdate({
      target: [memberships.workspaceId, memberships.userId],
      set: { role: next.role },
    });
  await recordAudit(ctx, tx, role === null ? 'member.joined' : 'member.role_changed', { id: userId, name });
}

async function staysOwner(tx: Transaction, workspaceId: string, userId: string): Promise<boolean> {
  if ((await listBreakGlassOwners(tx)).some((owner) => owner.userId === userId)) return true;
  await lockOwners(tx, workspaceId);
  return !(await hasOtherOwner(tx, workspaceId, userId));
}

async function rolesOf(tx: Transaction, groups: readonly string[]) {
  if (groups.length === 0) return [];
  return tx
    .select({ workspaceId: groupRoles.workspaceId, group: groupRoles.groupName, role: groupRoles.role })
    .from(groupRoles)
    .where(inArray(groupRoles.groupName, [...groups]))
    .orderBy(asc(groupRoles.groupName));
}
