// Runs of drafts. They are in `runs` like all others; additional data is here, so that other runs never read it.
import { index, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { DraftRunOptions } from '#lib/engine/draft-run.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { instant } from '#lib/identity/schema/workspaces.ts';
import { workflows } from './workflows.ts';

export const draftRuns = pgTable(
  'draft_runs',
  {
    runId: uuid('run_id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    version: integer('version').notNull(),
    options: json('options').$type<DraftRunOptions>().notNull(),
  },
  (table) => [index('draft_runs_workflow').on(table.workflowId, table.runId)],
);

/** Outputs that replace executions in runs of the draft; runs of published versions ignore them. */
export const pinnedOutputs = pgTable(
  'pinned_outputs',
  {
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    taskId: integer('task_id').notNull(),
    /** JSON text, so that no digit is lost. */
    output: text('output').notNull(),
    runText: text('run_text').notNull(),
    branch: text('branch'),
    pinnedAt: instant('pinned_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.taskId] })],
);

/** When a user last viewed the runs of a workflow: later failures are new to them. */
export const workflowLooks = pgTable(
  'workflow_looks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    lookedAt: instant('looked_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.workflowId] })],
);
