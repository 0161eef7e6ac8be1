import { type Role, ROLES } from '#lib/identity/roles/roles.ts';

/** Roles of groups in a workspace. */
export interface GroupAccess {
  groupRoles: readonly { group: string; role: Role }[];
  /** For users in none of the groups; null: no access. */
  defaultRole: Role | null;
}

export interface RoleByGroup {
  /** Null: no access. */
  role: Role | null;
  /** The group that gives it; null: the default role, or none. */
  group: string | null;
}

/** The role of a user in these groups: the strongest one counts. Names are compared exactly. */
export function roleOfGroups(
  { groupRoles, defaultRole }: GroupAccess,
  groups: readonly string[],
): RoleByGroup {
  const given = groupRoles.filter(({ group }) => groups.includes(group));
  const role = ROLES.find((candidate) => given.some((entry) => entry.role === candidate));
  if (role === undefined) return { role: defaultRole, group: null };
  return { role, group: given.find((entry) => entry.role === role)?.group ?? null };
}
