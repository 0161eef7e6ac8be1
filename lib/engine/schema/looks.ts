import { pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { instant } from '#lib/identity/schema/workspaces.ts';

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
