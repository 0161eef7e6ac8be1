// Waits of runs for signals (docs/engine.md, "Signals"). A run without such waits has no row here.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { WaitRule } from '#lib/engine/run-types.ts';
import { instant } from '#lib/identity/schema/workspaces.ts';

/** Exists from the moment a task run listens until it has used the signals. */
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
    /** Signals within this time of each other count as one; 0: the first one ends the wait. */
    quietMs: integer('quiet_ms').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** It still receives signals. */
    isOpen: boolean('is_open').notNull(),
    /** When its run continues because of a signal; null: none has arrived. */
    dueAt: instant('due_at'),
    /** JSON texts, in the order of arrival. */
    signals: text('signals').array().notNull().default([]),
  },
  (table) => [
    index('signal_waits_key')
      .on(table.workspaceId, table.key)
      .where(sql`is_open`),
    index('signal_waits_run').on(table.runId),
  ],
);

/** Signals that were delivered, so that a copy is ignored. */
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
