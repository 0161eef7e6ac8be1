// Counts of sent messages by day, which reports read instead of messages (docs/decisions/delivery-report.md).
import { sql } from 'drizzle-orm';
import {
  boolean,
  date,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { SentKind } from './messaging.ts';

/** Numbers of messages by a code or a name. */
export type Counts = Readonly<Record<string, number>>;

/**
 * Messages that a workspace sent on a day (UTC), by its own day, phone number, template and workflow. Two rows of each: of the messages that
 * are counted again while their statuses change, and of those that retention may remove, which are never counted again.
 */
export const messageDays = pgTable(
  'message_days',
  {
    workspaceId: uuid('workspace_id').notNull(),
    day: date('day').notNull(),
    isFrozen: boolean('is_frozen').notNull(),
    /** Days from `day` to the day in the workspace's zone when they were counted: -1, 0 or 1. */
    dayShift: smallint('day_shift').notNull().default(0),
    phoneNumberId: text('phone_number_id').notNull(),
    kind: text('kind').$type<SentKind>().notNull(),
    /** Empty: it was no template. */
    templateName: text('template_name').notNull(),
    /** `LOWEST_ID`: none, or its run was removed before its messages were counted. */
    workflowId: uuid('workflow_id').notNull(),
    accepted: integer('accepted').notNull(),
    sent: integer('sent').notNull(),
    delivered: integer('delivered').notNull(),
    read: integer('read').notNull(),
    failed: integer('failed').notNull(),
    /** Failed messages by the platform's error code; 0: it gave none. */
    failures: json('failures').$type<Counts>().notNull(),
    /** Delivered messages by the category that the platform reported as their price, `free` where it charges nothing. */
    categories: json('categories').$type<Counts>().notNull(),
    answered: integer('answered').notNull().default(0),
    /** Answered messages by the number of their time in `ANSWER_SECONDS`. */
    answerTimes: json('answer_times').$type<Counts>().notNull().default({}),
  },
  (table) => [
    primaryKey({
      name: 'message_days_key',
      columns: [
        table.workspaceId,
        table.day,
        table.isFrozen,
        table.dayShift,
        table.phoneNumberId,
        table.kind,
        table.templateName,
        table.workflowId,
      ],
    }),
  ],
);

/** The days on which a workspace sent messages, and when each was counted. */
export const countedDays = pgTable(
  'counted_days',
  {
    workspaceId: uuid('workspace_id').notNull(),
    day: date('day').notNull(),
    /** Null: not yet. */
    countedAt: instant('counted_at'),
    /** Null: no further status is expected. */
    nextAt: instant('next_at'),
    /** Messages before this instant are in the frozen rows. */
    frozenBefore: instant('frozen_before'),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.day] }),
    index('counted_days_due')
      .on(table.nextAt)
      .where(sql`next_at is not null`),
  ],
);

/** The hours of a day whose messages still change, each with its counts, so that a day is counted from few messages. */
export const countedHours = pgTable(
  'counted_hours',
  {
    workspaceId: uuid('workspace_id').notNull(),
    day: date('day').notNull(),
    /** 0 to 23. */
    hour: smallint('hour').notNull(),
    /** The rows of `message_days` that the hour alone would have. */
    groups: json('groups').notNull(),
    nextAt: instant('next_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.day, table.hour] })],
);

/** What the platform charges a workspace for a message, by category: decimals such as `0.0625`. No row: no prices are known. */
export const messagePrices = pgTable('message_prices', {
  workspaceId: uuid('workspace_id')
    .primaryKey()
    .references(() => workspaces.id, { onDelete: 'cascade' }),
  /** ISO 4217. */
  currency: text('currency').notNull(),
  prices: json('prices').$type<Readonly<Record<string, string>>>().notNull(),
});

/** One row: when all workspaces were last searched for days that are not counted yet. */
export const messageCounting = pgTable('message_counting', {
  isOnly: boolean('is_only').primaryKey().default(true),
  searchedAt: instant('searched_at').notNull(),
});
