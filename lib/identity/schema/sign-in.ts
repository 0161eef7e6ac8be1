// The sign-in policy, and the roles of the identity provider's groups (docs/decisions/identity-provider.md).
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { users } from './accounts.ts';
import { bytea, instant, workspaces } from './workspaces.ts';

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

// Second factors of accounts that sign in with a password.

/** An authenticator app, one per account. */
export const twoFactor = pgTable('two_factor', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The app's key, in base32. */
  secret: text('secret_encrypted').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When the first code was right. Null: still being set up, and not required. */
  confirmedAt: instant('confirmed_at'),
  /** Time step of the last used code (RFC 6238): it and earlier ones are refused. */
  lastStep: bigint('last_step', { mode: 'number' }).notNull().default(0),
});

/** Unused recovery codes. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256. */
    codeHash: bytea('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Between the right password and the code: not a session, and only usable for the second step. */
export const signInChallenges = pgTable(
  'sign_in_challenges',
  {
    /** SHA-256 of the token in the browser's cookie. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('sign_in_challenges_user').on(table.userId)],
);

// Passkeys of accounts that also have a password (docs/decisions/passkeys.md).

export const passkeys = pgTable(
  'passkeys',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Named by its owner. */
    name: text('name').notNull(),
    /** Created by the authenticator: the browser sends it with each signature. */
    credentialId: bytea('credential_id').notNull().unique(),
    /** COSE (RFC 9052). */
    publicKey: bytea('public_key').notNull(),
    /** Signature counter at the last sign-in; 0: not supported. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** The host that it was created for: it works for no other. */
    rpId: text('rp_id').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Null: never used. */
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);

/** Used challenges, until they expire: each is valid once. */
export const usedPasskeyChallenges = pgTable('used_passkey_challenges', {
  /** SHA-256. */
  challengeHash: bytea('challenge_hash').primaryKey(),
  expiresAt: instant('expires_at').notNull(),
});
