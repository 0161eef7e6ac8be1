import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import { workflows } from './workflows.ts';

/** When published workflows start on their own: one row for each (docs/engine.md, "Schedules"). */
export const schedules = pgTable(
  'schedules',
  {
    workflowId: uuid('workflow_id')
      .primaryKey()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    cron: text('cron').notNull(),
    /** Null: it follows the workspace's. */
    zone: text('zone'),
    whenMissed: text('when_missed').$type<'once' | 'skip'>().notNull(),
    /** Null while the workflow does not start: it is paused or deleted. */
    nextAt: instant('next_at'),
  },
  (table) => [
    index('schedules_due')
      .on(table.nextAt)
      .where(sql`${table.nextAt} is not null`),
    index('schedules_workspace').on(table.workspaceId),
    check('schedules_when_missed', sql`${table.whenMissed} in ('once', 'skip')`),
  ],
);
