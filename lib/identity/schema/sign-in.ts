// The sign-in policy, and the roles of the identity provider's groups (docs/decisions/identity-provider.md).
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { instant, workspaces } from './workspaces.ts';

/** Of the installation: one row, or none while it has the defaults. */
export const signInPolicy = pgTable(
  'sign_in_policy',
  {
    id: smallint('id').primaryKey().default(1),
    /** Passwords are for break-glass owners only. */
    requiresIdentity: boolean('requires_identity').notNull().default(false),
    /** Contact for users without access. */
    accessContact: text('access_contact').notNull().default(''),
    /** The identity provider whose email addresses count as verified where it does not say so; null: none. */
    trustedIssuer: text('trusted_issuer'),
  },
  () => [check('sign_in_policy_one_row', sql`id = 1`)],
);

/**
 * Owners who may use a password although sign-in with the identity provider is required, while they own the first workspace.
 */
export const breakGlassOwners = pgTable('break_glass_owners', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  addedAt: instant('added_at').notNull().defaultNow(),
});

/** Workspaces whose roles are decided by groups; without a row, by invitations. */
export const groupAccess = pgTable(
  'group_access',
  {
    workspaceId: uuid('workspace_id')
      .primaryKey()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** For users in none of the groups; null: no access. */
    defaultRole: text('default_role').$type<'owner' | 'editor' | 'viewer'>(),
  },
  () => [check('group_access_default_role', sql`default_role in ('owner', 'editor', 'viewer')`)],
);

/** The role of a group. */
export const groupRoles = pgTable(
  'group_roles',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => groupAccess.workspaceId, { onDelete: 'cascade' }),
    /** As spelled by the identity provider. */
    groupName: text('group_name').notNull(),
    role: text('role').$type<'owner' | 'editor' | 'viewer'>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.groupName] }),
    index('group_roles_group').on(table.groupName),
    check('group_roles_role', sql`role in ('owner', 'editor', 'viewer')`),
  ],
);
