import { type Role, ROLES } from '#lib/identity/roles/roles.ts';

/** Which roles groups give in a workspace. */
export interface GroupAccess {
  groupRoles: readonly { group: string; role: Role }[];
  /** Of those who are in none of the groups; null: no access. */
  defaultRole: Role | null;
}

export interface RoleByGroup {
  /** Null: no access. */
  role: Role | null;
  /** What gives it; null: the role for everybody else, or nothing. */
  group: string | null;
}

/** The role of somebody in these groups: the one that may do most counts. Names are compared exactly. */
export function roleOfGroups(
  { groupRoles, defaultRole }: GroupAccess,
  groups: readonly string[],
): RoleByGroup {
  const given = groupRoles.filter(({ group }) => groups.includes(group));
  const role = ROLES.find((candidate) => given.some((entry) => entry.role === candidate));
  if (role === undefined) return { role: defaultRole, group: null };
  return { role, group: given.find((entry) => entry.role === role)?.group ?? null };
}
