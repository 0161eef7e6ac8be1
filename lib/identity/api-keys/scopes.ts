// Scopes of API keys (docs/decisions/api-keys.md). Each includes those before it.
import { hasRole, type Role } from '#lib/identity/roles/roles.ts';

/** From the weakest to the strongest. */
export const KEY_SCOPES = ['read', 'run', 'edit', 'admin'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export const SCOPE_LABELS: Readonly<Record<KeyScope, string>> = {
  read: 'Read',
  run: 'Run',
  edit: 'Edit',
  admin: 'Admin',
};

export const SCOPE_DESCRIPTIONS: Readonly<Record<KeyScope, string>> = {
  read: 'View everything that a viewer sees.',
  run: 'Also test workflows, and cancel, retry and replay.',
  edit: 'Also change and publish workflows, connections, templates and secrets.',
  admin: 'Also create and revoke API keys, and change settings of the workspace.',
};

/** The role with the same rights: it decides what responses show and hide. */
export const ROLE_OF_SCOPE: Readonly<Record<KeyScope, Role>> = {
  read: 'viewer',
  run: 'editor',
  edit: 'editor',
  admin: 'owner',
};

/** Whether a scope includes another one. */
export const hasScope = (scope: KeyScope, needed: KeyScope): boolean =>
  KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(needed);

export const lowerScope = (a: KeyScope, b: KeyScope): KeyScope => (hasScope(a, b) ? b : a);

/** The strongest scope for a key of a member with this role. */
export const highestScopeOf = (role: Role): KeyScope =>
  KEY_SCOPES.findLast((scope) => hasRole(role, ROLE_OF_SCOPE[scope])) ?? 'read';
