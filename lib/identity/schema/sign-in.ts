// How people may sign in, and what the groups of the identity provider make of them (docs/decisions/identity-provider.md).
import { sql } from 'drizzle-orm';
import { boolean, check, index, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { instant, workspaces } from './workspaces.ts';

/** Of the installation: one row, or none as long as nothing was changed. */
export const signInPolicy = pgTable(
  'sign_in_policy',
  {
    id: smallint('id').primaryKey().default(1),
    /** Passwords are for break-glass owners only. */
    requiresIdentity: boolean('requires_identity').notNull().default(false),
    /** Whom those are told to ask who may not enter. */
    accessContact: text('access_contact').notNull().default(''),
    /** The identity provider whose email addresses count as verified where it does not say whether they are; null: none. */
    trustedIssuer: text('trusted_issuer'),
  },
  () => [check('sign_in_policy_one_row', sql`id = 1`)],
);

/** Who may use a password although sign-in with the identity provider is required, for as long as they own the first workspace. */
export const breakGlassOwners = pgTable('break_glass_owners', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  addedAt: instant('added_at').notNull().defaultNow(),
});

/** Workspaces whose roles groups decide; without a row, invitations do. */
export const groupAccess = pgTable(
  'group_access',
  {
    workspaceId: uuid('workspace_id')
      .primaryKey()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** Of those who are in none of the groups; null: no access. */
    defaultRole: text('default_role').$type<'owner' | 'editor' | 'viewer'>(),
  },
  () => [check('group_access_default_role', sql`default_role in ('owner', 'editor', 'viewer')`)],
);

/** The role that a group gives. */
export const groupRoles = pgTable(
  'group_roles',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => groupAccess.workspaceId, { onDelete: 'cascade' }),
    /** As the identity provider writes it. */
    groupName: text('group_name').notNull(),
    role: text('role').$type<'owner' | 'editor' | 'viewer'>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.groupName] }),
    index('group_roles_group').on(table.groupName),
    check('group_roles_role', sql`role in ('owner', 'editor', 'viewer')`),
  ],
);
