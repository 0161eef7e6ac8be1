import { sql } from 'drizzle-orm';
import { check, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from '#lib/identity/schema/workspaces.ts';

/**
 * Notifications that reached the app's receiver and that no connection got: one row for each account, without what they said,
 * as the account belongs to no workspace. Shown under Settings → Health.
 */
export const unroutedNotifications = pgTable(
  'unrouted_notifications',
  {
    /** `account`: no connection has it; `signature`: it was not that of the app, so that nothing in it is believed. */
    reason: text('reason').$type<'account' | 'signature'>().notNull(),
    /** Empty: the notification names none, or is not believed. */
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
