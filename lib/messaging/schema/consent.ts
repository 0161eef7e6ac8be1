// What customers agreed to receive, and customers whom workflows leave to people. Both are stored under each name of a customer
// (number and user ids), so that they outlive what notifications say of names; docs/decisions/sending.md says why.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type {
  ConfirmationStatus,
  ConsentPurpose,
  ConsentState,
  Evidence,
  HoldDeadlines,
  HoldSends,
} from './consent-types.ts';

const ofWorkspace = () =>
  uuid('workspace_id')
    .notNull()
    .references(() => workspaces.id, { onDelete: 'cascade' });

/** The current state under each name; no row: nothing is known, and messages are sent. */
export const customerConsents = pgTable(
  'customer_consents',
  {
    workspaceId: ofWorkspace(),
    /** Digits of a number, or a user id. */
    name: text('name').notNull(),
    purpose: text('purpose').$type<ConsentPurpose>().notNull(),
    state: text('state').$type<ConsentState>().notNull(),
    since: instant('since').notNull(),
    evidence: json('evidence').$type<Evidence>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.name, table.purpose] }),
    check('customer_consents_purpose', sql`purpose in ('marketing', 'all')`),
    check('customer_consents_state', sql`state in ('given', 'stopped')`),
  ],
);

/** Every change of the register, under each name that it changed. Never removed. */
export const consentChanges = pgTable(
  'consent_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The same for all names that changed together. */
    changeId: uuid('change_id').notNull(),
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    purpose: text('purpose').$type<ConsentPurpose>().notNull(),
    state: text('state').$type<ConsentState>().notNull(),
    at: instant('at').notNull(),
    evidence: json('evidence').$type<Evidence>().notNull(),
  },
  (table) => [index('consent_changes_name').on(table.workspaceId, table.name, table.id)],
);

/** Customers to whom no workflow sends while it lasts; ended ones are pruned. */
export const customerHolds = pgTable(
  'customer_holds',
  {
    workspaceId: ofWorkspace(),
    name: text('name').notNull(),
    since: instant('since').notNull(),
    /** Null: until it is released. */
    until: instant('until'),
    /** Empty: none was entered. */
    reason: text('reason').notNull(),
    evidence: json('evidence').$type<Evidence>().notNull(),
    sends: text('sends').$type<HoldSends>().notNull().default('suppress'),
    deadlines: text('deadlines').$type<HoldDeadlines>().notNull().default('run'),
    /** Earlier holds, ISO 8601, that suspended deadlines. A row that has some outlives its hold. */
    pauses: jsonb('pauses').$type<[since: string, until: string][]>().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.name] }),
    index('customer_holds_until').on(table.until),
  ],
);

/** A workspace without a row has the default words, and no holds by what staff write elsewhere. */
export const consentSettings = pgTable('consent_settings', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  stopWords: text('stop_words').array().notNull(),
  resumeWords: text('resume_words').array().notNull(),
  purpose: text('purpose').$type<ConsentPurpose>().notNull(),
  holdsOnEchoes: boolean('holds_on_echoes').notNull(),
  echoHoldHours: integer('echo_hold_hours').notNull(),
  /** Of holds that do not say it themselves. */
  holdSends: text('hold_sends').$type<HoldSends>().notNull().default('suppress'),
  holdDeadlines: text('hold_deadlines').$type<HoldDeadlines>().notNull().default('run'),
  /** Sent when the customer's message stops or gives consent; empty: nothing is sent. */
  stopConfirmation: text('stop_confirmation').notNull().default(''),
  resumeConfirmation: text('resume_confirmation').notNull().default(''),
  /** Marketing messages that a customer gets at most within these days; null: no limit. */
  marketingLimit: integer('marketing_limit'),
  marketingLimitDays: integer('marketing_limit_days').notNull().default(7),
});

/**
 * Answers to messages that stopped or gave consent. Each is inserted with the change, and leaves once: what is recorded as `sending`
 * is never sent again.
 */
export const consentConfirmations = pgTable(
  'consent_confirmations',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    connectionId: uuid('connection_id').notNull(),
    /** That received the customer's message. */
    phoneNumberId: text('phone_number_id').notNull(),
    /** The name that it came from. */
    customer: text('customer').notNull(),
    state: text('state').$type<ConsentState>().notNull(),
    text: text('text').notNull(),
    status: text('status').$type<ConfirmationStatus>().notNull().default('queued'),
    /** Why it was not sent. */
    reason: text('reason'),
    /** The platform's id of the sent message. */
    sentId: text('sent_id'),
    windowClosesAt: instant('window_closes_at').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('consent_confirmations_sent').on(table.workspaceId, table.sentId),
    index('consent_confirmations_unsent')
      .on(table.workspaceId, table.customer, table.createdAt)
      .where(sql`sent_id is null`),
    index('consent_confirmations_age').on(table.createdAt),
    check(
      'consent_confirmations_status',
      sql`status in ('queued', 'sending', 'sent', 'not_sent', 'unknown')`,
    ),
  ],
);

/** Marketing messages of customers, counted where the workspace limits them (sending/marketing-limit.ts). */
export const marketingPlaces = pgTable(
  'marketing_places',
  {
    id: uuid('id').primaryKey(),
    workspaceId: ofWorkspace(),
    /** A name of the customer. */
    name: text('name').notNull(),
    takenAt: instant('taken_at').notNull(),
    /** Null: it is being sent, or its outcome is unknown. */
    messageId: text('message_id'),
  },
  (table) => [
    index('marketing_places_name').on(table.workspaceId, table.name, table.takenAt),
    index('marketing_places_age').on(table.takenAt),
  ],
);
