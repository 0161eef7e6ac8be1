import type { KnownGroups } from './group-access.ts';
import { type GroupAccess, type RoleByGroup, roleOfGroups } from './role-of-groups.ts';

export interface PreviewInput {
  access: GroupAccess;
  known: readonly KnownGroups[];
  /** Of the workspace, including those without an identity. */
  ownerCount: number;
  breakGlassUserIds: readonly string[];
}

export interface PreviewedMember extends RoleByGroup {
  member: KnownGroups;
  /** Why a user stays an owner regardless of groups. */
  staysBecause: 'break_glass' | 'last_owner' | null;
}

/**
 * Previews what the next sign-in would change for members with known groups, as lib/identity/groups/apply-group-roles.ts
 * does.
 */
export function previewGroups({
  access,
  known,
  ownerCount,
  breakGlassUserIds,
}: PreviewInput): PreviewedMember[] {
  return known.map((member) => {
    const next = roleOfGroups(access, member.groups ?? []);
    if (member.role !== 'owner' || next.role === 'owner') return { member, ...next, staysBecause: null };
    const staysBecause = breakGlassUserIds.includes(member.userId)
      ? 'break_glass'
      : ownerCount === 1
        ? 'last_owner'
        : null;
    return { member, ...next, ...(staysBecause ? { role: 'owner' as const } : {}), staysBecause };
  });
}
