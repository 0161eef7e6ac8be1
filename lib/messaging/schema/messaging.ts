// Data about messages. No foreign keys: notifications and sends write here independently, in any order.
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant } from '#lib/identity/schema/workspaces.ts';
import type { MessageStatus, StatusError, StatusStep } from './message-statuses.ts';
import type { AccountNotice } from './notice-types.ts';

/** The type of a message. `question`: from a task that asked, before questions were buttons, lists and texts. */
export type SentKind =
  | 'template'
  | 'text'
  | 'media'
  | 'question'
  | 'buttons'
  | 'list'
  | 'cta_url'
  | 'location_request'
  | 'location'
  | 'contacts'
  | 'sticker'
  | 'reaction';

/** One outgoing message; a status that arrives before the response to the send inserts the row, the response completes it. */
export const sentMessages = pgTable(
  'sent_messages',
  {
    workspaceId: uuid('workspace_id').notNull(),
    messageId: text('message_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull(),
    recipient: text('recipient').notNull(),
    /** Null: it was not sent by a workflow here. */
    kind: text('kind').$type<SentKind>(),
    templateName: text('template_name'),
    runId: uuid('run_id'),
    /** Of the run, which may be removed earlier; null: none, or sent before 0.3.0. */
    workflowId: uuid('workflow_id'),
    taskId: integer('task_id'),
    iteration: text('iteration'),
    /** A person wrote it, and a workflow passed it on; null: no. Then holds do not suppress it. */
    isByPerson: boolean('is_by_person'),
    status: text('status').$type<MessageStatus>().notNull(),
    statusAt: instant('status_at').notNull(),
    errors: json('errors').$type<StatusError[]>(),
    /** Every reported status, oldest first. */
    timeline: json('timeline').$type<StatusStep[]>().notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** When the customer wrote back (docs/decisions/delivery-report.md says what an answer is). */
    answeredAt: instant('answered_at'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.messageId] }),
    index('sent_messages_run').on(table.runId),
    index('sent_messages_age').on(table.workspaceId, table.createdAt).concurrently(),
    // A customer's timeline, and the runs that sent to them.
    index('sent_messages_customer').on(table.workspaceId, table.recipient, table.createdAt).concurrently(),
    index('sent_messages_customer_runs')
      .on(table.workspaceId, table.recipient, table.runId)
      .where(sql`run_id is not null`)
      .concurrently(),
  ],
);

/**
 * Messages of customers, one row for each event of a message: a message that starts two workflows has two. What the customer wrote
 * is only in the event.
 */
export const receivedMessages = pgTable(
  'received_messages',
  {
    workspaceId: uuid('workspace_id').notNull(),
    messageId: text('message_id').notNull(),
    eventId: uuid('event_id').notNull(),
    /** The name that it came from. */
    customer: text('customer').notNull(),
    phoneNumberId: text('phone_number_id').notNull(),
    /** The platform's type, such as `text` or `image`. */
    type: text('type').notNull(),
    /** The run that it started, or that took it as its answer. */
    runId: uuid('run_id'),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.messageId, table.eventId] }),
    index('received_messages_customer').on(table.workspaceId, table.customer, table.receivedAt),
    index('received_messages_customer_runs')
      .on(table.workspaceId, table.customer, table.runId)
      .where(sql`run_id is not null`),
    index('received_messages_age').on(table.workspaceId, table.receivedAt),
    // Whose message a run is about.
    index('received_messages_run')
      .on(table.runId)
      .where(sql`run_id is not null`)
      .concurrently(),
  ],
);

/** The words of a message that a customer wrote, by its event; removed with the event's body. A message without text has none. */
export const receivedWords = pgTable(
  'received_words',
  {
    eventId: uuid('event_id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    /** With workspace and week: `conversations/received-words.ts`. */
    words: text('words').array().notNull(),
  },
  (table) => [
    // Each look reads all entries that are not in the index's tree yet, 4 MB by default: 5 ms for each week of a search.
    index('received_words_words').using('gin', table.words).with({ gin_pending_list_limit: 256 }),
  ],
);

/**
 * Runs of which the platform reported that a message failed: inserted with the status, once each, and never taken back, because no
 * status follows `failed`. A separate table, so that notifications never lock a run that a worker writes, and lists find these runs
 * among millions.
 */
export const undeliveredRuns = pgTable(
  'undelivered_runs',
  {
    runId: uuid('run_id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    /** The first message that failed. */
    messageId: text('message_id').notNull(),
    notedAt: instant('noted_at').notNull().defaultNow(),
    /** An alert was recorded, or is not wanted: no alert includes runs of drafts. */
    isReported: boolean('is_reported').notNull().default(false),
  },
  (table) => [
    index('undelivered_runs_workspace').on(table.workspaceId, table.runId),
    index('undelivered_runs_workflow').on(table.workflowId, table.runId),
    index('undelivered_runs_new')
      .on(table.workflowId, table.runId)
      .where(sql`not is_reported`),
  ],
);

/**
 * Message templates of the last day to customers without an open window: these count against the platform's limit of customers.
 * A separate table, so that counting never reads years of messages. Failed ones are removed.
 */
export const businessInitiatedMessages = pgTable(
  'business_initiated_messages',
  {
    workspaceId: uuid('workspace_id').notNull(),
    messageId: text('message_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull(),
    recipient: text('recipient').notNull(),
    sentAt: instant('sent_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.messageId] }),
    index('business_initiated_messages_number').on(table.workspaceId, table.phoneNumberId, table.sentAt),
  ],
);

/** Duration of the customer service window after a customer's last message (spec, Endpoints, rule 1). */
export const WINDOW_HOURS = 24;

/** The last message of each customer to each number: the customer service windows. */
export const conversationWindows = pgTable(
  'conversation_windows',
  {
    workspaceId: uuid('workspace_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull(),
    customer: text('customer').notNull(),
    lastMessageAt: instant('last_message_at').notNull(),
    lastMessageId: text('last_message_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.phoneNumberId, table.customer] }),
    index('conversation_windows_age').on(table.workspaceId, table.lastMessageAt).concurrently(),
  ],
);

/**
 * Each customer under their names on the platform: their number, and their user id in each business portfolio. A customer has
 * at most one number, and at most one user id per business account; in addition, the entered number where the platform has
 * another one for it.
 */
export const customerNames = pgTable(
  'customer_names',
  {
    workspaceId: uuid('workspace_id').notNull(),
    /** Digits of a number, or a user id. */
    name: text('name').notNull(),
    customerId: uuid('customer_id').notNull(),
    /** The business account whose notification contained it. */
    businessAccountId: text('business_account_id').notNull(),
    /** For a number as it was entered: the number that the platform has for it. */
    aliasOf: text('alias_of'),
    learnedAt: instant('learned_at').notNull().defaultNow(),
    /** When the platform last reported anything of the customer, or something was sent to this name, to the hour. */
    seenAt: instant('seen_at').notNull().defaultNow(),
    /** What customers call themselves on the platform; null: they have not written under this name. */
    profileName: text('profile_name'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.name] }),
    index('customer_names_customer').on(table.customerId),
    // The list of customers.
    index('customer_names_newest').on(table.workspaceId, table.seenAt, table.customerId).concurrently(),
    // Searches: by the end of a number, and by the beginning of a profile name.
    index('customer_names_end')
      .on(table.workspaceId, sql`"right"(name, 4)`, table.name)
      .concurrently(),
    index('customer_names_profile')
      .on(table.workspaceId, sql`lower(profile_name) text_pattern_ops`)
      .where(sql`profile_name is not null`)
      .concurrently(),
  ],
);

/** Ids of customers who turned out to be another one: their pages lead there. */
export const joinedCustomers = pgTable(
  'joined_customers',
  {
    workspaceId: uuid('workspace_id').notNull(),
    customerId: uuid('customer_id').primaryKey(),
    /** Never joined itself. */
    joinedId: uuid('joined_id').notNull(),
  },
  (table) => [index('joined_customers_joined').on(table.joinedId)],
);

/** The category that was requested for a message template created here: the platform may have chosen another one. */
export const requestedCategories = pgTable(
  'requested_categories',
  {
    workspaceId: uuid('workspace_id').notNull(),
    templateId: text('template_id').notNull(),
    category: text('category').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.templateId] })],
);

/** Received changes: the platform delivers at least once, workflows start once. */
export const receivedChanges = pgTable(
  'received_changes',
  {
    connectionId: uuid('connection_id').notNull(),
    changeKey: text('change_key').notNull(),
    receivedAt: instant('received_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.connectionId, table.changeKey] }),
    index('received_changes_age').on(table.receivedAt),
  ],
);

/** How fast each number, and each number to one customer, may send: when the next message would be due if all were evenly spaced. */
export const sendRates = pgTable('send_rates', {
  rateKey: text('rate_key').primaryKey(),
  nextAt: instant('next_at').notNull(),
});

/** Turns reserved by tasks for later, because of earlier ones. */
export const sendTurns = pgTable('send_turns', {
  /** Run, task and iteration. */
  turnKey: text('turn_key').primaryKey(),
  turnAt: instant('turn_at').notNull(),
});

// The platform's notices about templates and numbers, which lib/alerts reports: inserted with the notification, deleted in
// the transaction that records the alert.

export const accountNotices = pgTable('account_notices', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  workspaceId: uuid('workspace_id').notNull(),
  connectionId: uuid('connection_id').notNull(),
  notice: json('notice').$type<AccountNotice>().notNull(),
  receivedAt: instant('received_at').notNull(),
});

/**
 * Notifications that reached the app's receiver but no connection: one row per account, without their content, because the
 * account belongs to no workspace. Shown under Settings → Health.
 */
export const unroutedNotifications = pgTable(
  'unrouted_notifications',
  {
    /** `account`: no connection has it; `signature`: it is invalid, so that the content is not trusted. */
    reason: text('reason').$type<'account' | 'signature'>().notNull(),
    /** Empty: the notification has none, or is not trusted. */
    businessAccountId: text('business_account_id').notNull(),
    /** The platform's names, such as `messages`. */
    fields: text('fields').array().notNull(),
    firstReceivedAt: instant('first_received_at').notNull().defaultNow(),
    /** To the minute. */
    lastReceivedAt: instant('last_received_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.reason, table.businessAccountId] }),
    check('unrouted_notifications_reason', sql`reason in ('account', 'signature')`),
  ],
);
