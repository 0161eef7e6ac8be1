import { sql } from 'drizzle-orm';
import {
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AccountFacts } from '#lib/messaging/schema/fact-types.ts';
import type { MessageFilter, MessageKind, SubscriptionKind } from './subscription-kinds.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { bytea, instant, workspaces } from '#lib/identity/schema/workspaces.ts';

export const connections = pgTable(
  'connections',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Null: none was selected, and it is for every account that its token can access. */
    businessAccountId: text('business_account_id'),
    businessAccountName: text('business_account_name'),
    /** The last recorded state; whether a connection expires soon is derived from its dates. */
    status: text('status').$type<'connected' | 'needs_reconnecting'>().notNull().default('connected'),
    statusReason: text('status_reason'),
    scopes: text('scopes').array().notNull(),
    accessTokenEncrypted: text('access_token_encrypted').notNull(),
    /** Null: none; the connection expires with its access token. */
    refreshTokenEncrypted: text('refresh_token_encrypted'),
    /** Increased with every change of the tokens, so that a late response never replaces newer ones. */
    tokenRevision: integer('token_revision').notNull().default(1),
    tokenIssuedAt: instant('token_issued_at').notNull(),
    /** Null: the token does not expire. */
    tokenExpiresAt: instant('token_expires_at'),
    refreshExpiresAt: instant('refresh_expires_at'),
    /** One refresh at a time over all processes: the holder of this lease may refresh until then. */
    refreshLeaseId: uuid('refresh_lease_id'),
    refreshLeaseUntil: instant('refresh_lease_until'),
    lastRefreshError: text('last_refresh_error'),
    /** SHA-256 of the token in /hooks/messaging/<token>. */
    receiverTokenHash: bytea('receiver_token_hash').notNull().unique(),
    receiverTokenEncrypted: text('receiver_token_encrypted').notNull(),
    lastNotificationAt: instant('last_notification_at'),
    /** Number of notifications with an invalid signature: nothing else is stored about them. */
    refusedNotifications: integer('refused_notifications').notNull().default(0),
    lastRefusedAt: instant('last_refused_at'),
    /** Time of the last successful check (`connection_facts`); null: never. */
    checkedAt: instant('checked_at'),
    /** Why the last check failed; null: it succeeded. */
    checkProblem: text('check_problem'),
    /** When it is checked next; null: as soon as possible. */
    checkDueAt: instant('check_due_at'),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('connections_workspace').on(table.workspaceId, table.id),
    uniqueIndex('connections_business_account')
      .on(table.workspaceId, table.businessAccountId)
      .where(sql`business_account_id is not null`),
    check('connections_status', sql`status in ('connected', 'needs_reconnecting')`),
  ],
);

/** The platform's data from the last check of a connection. In a separate table, because every send reads the connection's row. */
export const connectionFacts = pgTable('connection_facts', {
  connectionId: uuid('connection_id')
    .primaryKey()
    .references(() => connections.id, { onDelete: 'cascade' }),
  accounts: json('accounts').$type<AccountFacts[]>().notNull(),
});

/** A login at the platform's identity provider, from its start until the connection is saved. */
export const connectionLogins = pgTable(
  'connection_logins',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of `state`; null once it was used. */
    stateHash: bytea('state_hash').unique(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The user who started it: only they can finish it. */
    userId: text('user_id').notNull(),
    /** The connection to reconnect; null: a new one. */
    connectionId: uuid('connection_id').references(() => connections.id, { onDelete: 'cascade' }),
    /** The verifier of PKCE, then the tokens, as one encrypted text. */
    secretsEncrypted: text('secrets_encrypted').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [index('connection_logins_expires').on(table.expiresAt)],
);

/** Which workflows a connection's notifications are forwarded to. */
export const connectionSubscriptions = pgTable(
  'connection_subscriptions',
  {
    connectionId: uuid('connection_id')
      .notNull()
      .references(() => connections.id, { onDelete: 'cascade' }),
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    kinds: text('kinds').array().$type<SubscriptionKind[]>().notNull(),
    /** Only for this number; null: every number. */
    phoneNumberId: text('phone_number_id'),
    /** Only messages of these kinds; empty: of every kind. */
    messageKinds: text('message_kinds').array().$type<MessageKind[]>().notNull().default([]),
    /** Only messages with one of these keywords; empty: any message. */
    words: text('words').array().notNull().default([]),
    /**
     * Which messages start the workflow by its trigger; null: its trigger does not listen to the connection. It takes
     * precedence over messages in `kinds`, which are there for 0.1.0.
     */
    messageTrigger: json('message_trigger').$type<MessageFilter>(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.workflowId] }),
    index('connection_subscriptions_workflow').on(table.workflowId),
  ],
);
