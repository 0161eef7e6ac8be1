// What runs wait for besides an instant (docs/engine.md, "Signals"). A run that waits for none has no row here.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { WaitRule } from '#lib/engine/run-types.ts';
import { instant } from '#lib/identity/schema/workspaces.ts';

/** From the moment a task run listens until it has used what came. */
export const signalWaits = pgTable(
  'signal_waits',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    key: text('key').notNull(),
    runId: uuid('run_id').notNull(),
    taskId: integer('task_id').notNull(),
    iteration: text('iteration').notNull(),
    /** Which of several waits for one key gets a signal. */
    rule: text('rule').$type<WaitRule>().notNull(),
    /** Signals count as one until none has arrived for this time; 0: the first one ends the wait. */
    quietMs: integer('quiet_ms').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** Signals still reach it. */
    isOpen: boolean('is_open').notNull(),
    /** When its run continues because of what came; null: nothing came. */
    dueAt: instant('due_at'),
    /** JSON texts, in the order in which they came. */
    signals: text('signals').array().notNull().default([]),
  },
  (table) => [
    index('signal_waits_key')
      .on(table.workspaceId, table.key)
      .where(sql`is_open`),
    index('signal_waits_run').on(table.runId),
  ],
);

/** Signals that a wait got, so that a copy is not used again. */
export const usedSignals = pgTable(
  'used_signals',
  {
    workspaceId: uuid('workspace_id').notNull(),
    id: text('id').notNull(),
    usedAt: instant('used_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.id] }),
    index('used_signals_age').on(table.usedAt),
  ],
);
