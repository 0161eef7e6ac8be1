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

/** A provider's claims about groups. */
export interface ReportedGroups {
  /** Without duplicates, in the provider's order; null when it sent none at all. */
  groups: string[] | null;
  /** They were too many for the token, which only refers to them (`_claim_names`, OpenID Connect Core 5.6.2). */
  isIncomplete: boolean;
}

/** More than fit into a token; further ones are ignored. */
const MAX_GROUPS = 2000;
const MAX_NAME_CHARACTERS = 500;

/**
 * Reads groups from the claims of an ID token or of the userinfo endpoint: a list of names, one name, or an object whose keys
 * are names.
 * @param claimPath a claim's name (possibly with dots, such as a URL), or the path of a nested one: `realm_access.roles`
 */
export function readGroups(claims: Readonly<Record<string, unknown>>, claimPath: string): ReportedGroups {
  const value = claimAt(claims, claimPath);
  if (value === undefined || value === null)
    return { groups: null, isIncomplete: claimAt(claims, '_claim_names', claimPath) !== undefined };
  const names = Array.isArray(value) ? value : isObject(value) ? Object.keys(value) : [value];
  const usable = names.filter(
    (name): name is string =>
      typeof name === 'string' && name !== '' && name.length <= MAX_NAME_CHARACTERS && !name.includes('\0'),
  );
  return { groups: [...new Set(usable)].slice(0, MAX_GROUPS), isIncomplete: false };
}

/** The value of a claim; undefined where there is none. The longest matching name comes first. */
function claimAt(value: unknown, ...path: readonly string[]): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, name)) return claimAt(value[name], ...rest);
  for (let end = name.lastIndexOf('.'); end > 0; end = name.lastIndexOf('.', end - 1)) {
    const outer = name.slice(0, end);
    if (Object.hasOwn(value, outer)) return claimAt(value[outer], name.slice(end + 1), ...rest);
  }
  return undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
