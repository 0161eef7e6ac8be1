// People: their accounts, sessions and memberships of workspaces, and the record of who did what.
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant, workspaces } from './workspaces.ts';

type Role = 'owner' | 'editor' | 'viewer';

export const users = pgTable('users', {
  id: uuid('id').primaryKey(),
  /** Lower case. */
  email: text('email').notNull().unique(),
  /** Null: signs in with the identity provider only. */
  passwordHash: text('password_hash'),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** The account was created with a password for this address, and nothing has proven it yet: `accounts.ts`. */
  isAddressUnproven: boolean('is_address_unproven').notNull().default(false),
});

/** Accounts at the identity provider. */
export const userIdentities = pgTable(
  'user_identities',
  {
    issuer: text('issuer').notNull(),
    subject: text('subject').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** From the last sign-in; null: the identity provider sent none. */
    groups: text('groups').array(),
    signedInAt: instant('signed_in_at'),
    /** The account was created with an unverified address: a user who proves the address takes the account over. */
    isAddressUnproven: boolean('is_address_unproven').notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    index('user_identities_user').on(table.userId),
  ],
);

/** The cookie only contains the id: deleting a row signs out. */
export const userSessions = pgTable(
  'user_sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** The way of signing in. Null: before this was recorded. */
    signedInBy: text('signed_in_by').$type<'password' | 'two_factor' | 'passkey' | 'provider'>(),
    /** The passkey that started the session; it may be deleted by now. Null: before this was recorded, or another way. */
    passkeyId: uuid('passkey_id'),
    userAgent: text('user_agent'),
    /** The network address of the last recorded request. */
    address: text('address'),
    /** Recorded every few minutes. */
    lastSeenAt: instant('last_seen_at'),
  },
  (table) => [index('user_sessions_user').on(table.userId)],
);

/** Links that set a new password: each works once, for an hour. */
export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the token in the link. */
    tokenHash: bytea('token_hash').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('password_resets_user').on(table.userId)],
);

export const memberships = pgTable(
  'memberships',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role').$type<Role>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index('memberships_user').on(table.userId),
    check('memberships_role', sql`role in ('owner', 'editor', 'viewer')`),
  ],
);

export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** SHA-256 of the token in the link, which is shown once. */
    tokenHash: bytea('token_hash').notNull().unique(),
    /**
     * SHA-256 of the token in the mailed link, which is not shown to anybody: using it proves the address. Null: not mailed.
     */
    mailedTokenHash: bytea('mailed_token_hash'),
    /** Lower case. Only this address can accept it; null: any. */
    email: text('email'),
    /** The inviter's note, which identifies open invitations and has no effect. */
    note: text('note').notNull(),
    role: text('role').$type<Role>().notNull(),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    acceptedAt: instant('accepted_at'),
    acceptedBy: uuid('accepted_by'),
    revokedAt: instant('revoked_at'),
  },
  (table) => [
    index('invitations_workspace').on(table.workspaceId, table.id),
    index('invitations_mailed_token').on(table.mailedTokenHash),
    check('invitations_role', sql`role in ('owner', 'editor', 'viewer')`),
  ],
);

/** Failed sign-ins, and pauses after them, in the columns of rate-limiter-flexible. */
export const signInLimits = pgTable(
  'sign_in_limits',
  {
    /** `failures:` or `pause:` and a digest of the account and the source of the attempts. */
    key: text('key').primaryKey(),
    points: integer('points').notNull(),
    /** Milliseconds since 1970; later the row is ignored. */
    expire: bigint('expire', { mode: 'number' }),
  },
  (table) => [index('sign_in_limits_expire').on(table.expire)],
);

/** Who did what when. Names are copied, so that the record outlives its subjects. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    at: instant('at').notNull().defaultNow(),
    /** A user's or an API key's id. */
    actorId: text('actor_id'),
    /** The email address or the key's name. */
    actorName: text('actor_name').notNull(),
    /** `<thing>.<past participle>`, such as `workflow.published`. */
    action: text('action').notNull(),
    targetId: text('target_id'),
    targetName: text('target_name'),
  },
  (table) => [index('audit_entries_workspace').on(table.workspaceId, table.id)],
);
