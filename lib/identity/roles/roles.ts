/** From the strongest to the weakest. */
export const ROLES = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_LABELS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  editor: 'Editor',
  viewer: 'Viewer',
};

export const ROLE_DESCRIPTIONS: Readonly<Record<Role, string>> = {
  owner: 'Full access, including members, API keys and the audit log.',
  editor: 'Can edit and publish workflows, connect accounts, and retry runs.',
  viewer: 'Can view everything but change nothing.',
};

/** Weaker roles. */
export const rolesBelow = (role: Role): readonly Role[] => ROLES.slice(ROLES.indexOf(role) + 1);

/** Whether a role includes another one. */
export const hasRole = (role: Role, minimum: Role): boolean => ROLES.indexOf(role) <= ROLES.indexOf(minimum);
