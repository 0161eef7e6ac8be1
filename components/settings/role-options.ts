import { ROLE_DESCRIPTIONS, ROLE_LABELS, ROLES } from '#lib/identity/roles/roles.ts';

export const ROLE_OPTIONS = ROLES.map((role) => ({
  value: role,
  label: ROLE_LABELS[role],
  description: ROLE_DESCRIPTIONS[role],
}));
