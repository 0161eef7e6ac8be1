import { bigint, integer, pgTable, primaryKey, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant } from '#lib/identity/schema/workspaces.ts';

/**
 * Bursts of webhooks that still wait for quiet (docs/engine.md, "Bursts"). Rows are only written while the burst is locked, by the
 * functions of the migration that made the table.
 */
export const webhookBursts = pgTable(
  'webhook_bursts',
  {
    workflowId: uuid('workflow_id').notNull(),
    /** Made of the workflow and the value that its webhooks have in common. */
    key: uuid('key').notNull(),
    /** The run that it starts. */
    runId: uuid('run_id').notNull(),
    version: integer('version').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** When it starts its run, unless another webhook arrives before. */
    dueAt: instant('due_at').notNull(),
    webhooks: integer('webhooks').notNull(),
    /** Of their bodies. */
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workflowId, table.key] }),
    uniqueIndex('webhook_bursts_run').on(table.runId),
  ],
);

/** The webhooks of a burst, in the order in which they were stored. They stay as long as its run. */
export const burstEvents = pgTable(
  'burst_events',
  {
    runId: uuid('run_id').notNull(),
    place: integer('place').notNull(),
    eventId: uuid('event_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.place] })],
);
