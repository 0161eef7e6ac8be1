// Outgoing mails: inserted with their job in the transaction of their cause, sent by a worker.
import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = (name: string) => timestamp(name, { withTimezone: true });

export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    /** What it is about, such as `password_reset`. */
    kind: text('kind').notNull(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    /** Text and HTML, sealed: links in them open accounts. Null once it was sent or given up. */
    content: text('content_encrypted'),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Of a mail that 0.2.0 queued: its next attempt. Null: a job sends it. To be removed in the version after 0.3.0. */
    dueAt: instant('due_at').defaultNow(),
    /** After this it is no longer useful to the recipient. */
    giveUpAt: instant('give_up_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    sentAt: instant('sent_at'),
    failedAt: instant('failed_at'),
    /** Why the last attempt failed, in plain words. */
    problem: text('problem'),
  },
  (table) => [
    index('mails_due')
      .on(table.dueAt)
      .where(sql`sent_at is null and failed_at is null`),
    index('mails_created').on(table.createdAt),
  ],
);
