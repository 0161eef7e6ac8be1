import { boolean, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { Decided } from './approval-link.ts';

/** Links by which a person or another system decides for a run (`/resume/<token>`). */
export const approvalLinks = pgTable(
  'approval_links',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of the token. The token itself is only in the output of the task that created the link. */
    tokenHash: bytea('token_hash').notNull().unique(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The run that needs the decision: the one that created the link, or the last one that waited for it. */
    runId: uuid('run_id').notNull(),
    taskId: integer('task_id').notNull(),
    question: text('question').notNull(),
    details: text('details').notNull(),
    approveLabel: text('approve_label').notNull(),
    rejectLabel: text('reject_label').notNull(),
    /** The page has a field for a comment. */
    hasComment: boolean('has_comment').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    expiresAt: instant('expires_at').notNull(),
    /** When the run continued without a decision, by the clock of its worker; null while one still counts. */
    closedAt: instant('closed_at'),
    /** Null: undecided. Once written, it and the next three never change. */
    decision: text('decision').$type<Decided['decision']>(),
    comment: text('comment'),
    /** JSON text of the whole posted body. */
    body: text('body'),
    decidedAt: instant('decided_at'),
  },
  (table) => [index('approval_links_expiry').on(table.expiresAt)],
);
