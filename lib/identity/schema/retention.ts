// How long a workspace's data is kept, and how far its removal has come (docs/operations.md, "Retention").
import { sql } from 'drizzle-orm';
import { check, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, workspaces } from './workspaces.ts';

/** Null: for ever. A workspace without a row existed before there was retention, and nothing of it is removed. */
export const retentionSettings = pgTable(
  'retention_settings',
  {
    workspaceId: uuid('workspace_id')
      .primaryKey()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    bodiesDays: integer('bodies_days'),
    runsDays: integer('runs_days'),
    messagesDays: integer('messages_days'),
    auditDays: integer('audit_days'),
    changedAt: instant('changed_at').notNull().defaultNow(),
  },
  () => [
    check(
      'retention_settings_days',
      sql`bodies_days >= 1 and runs_days >= 1 and messages_days >= 1 and audit_days >= 1`,
    ),
  ],
);

/** What is removed in its own order; see lib/workflows/retention/parts.ts. */
export type RetentionPart =
  | 'run_bodies'
  | 'event_bodies'
  | 'runs'
  | 'events'
  | 'lists'
  | 'messages'
  | 'received'
  | 'windows'
  | 'names'
  | 'remembered'
  | 'audit';

/** One row for each part of a workspace that was worked on. */
export const retentionProgress = pgTable(
  'retention_progress',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    part: text('part').$type<RetentionPart>().notNull(),
    /** Every row up to this id is removed or in `retention_leftovers`. */
    position: uuid('position').notNull(),
    /** Leftovers up to this id were checked again in this pass. */
    leftoverPosition: uuid('leftover_position').notNull(),
    /** Everything older was due and is removed, except for leftovers; null: the first pass has not ended. */
    doneThrough: instant('done_through'),
    workedAt: instant('worked_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.part] })],
);

/** Rows that were due and had to stay: of open runs, samples of the editor, and events that a younger run needs. */
export const retentionLeftovers = pgTable(
  'retention_leftovers',
  {
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    part: text('part').$type<RetentionPart>().notNull(),
    id: uuid('id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.part, table.id] })],
);
