// Lists of recipients: each row starts one run of its workflow.
import { sql } from 'drizzle-orm';
import {
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { bytea, instant, workspaces } from '#lib/identity/schema/workspaces.ts';
import type { ListMapping, ListState, RowState, SkipReason } from './schema.ts';

export const sendLists = pgTable(
  'send_lists',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** Of its columns and rows; null: uploaded again on purpose. */
    contentHash: bytea('content_hash'),
    columns: json('columns').$type<string[]>().notNull(),
    mapping: json('mapping').$type<ListMapping>().notNull(),
    state: text('state').$type<ListState>().notNull(),
    /** Why it paused on its own. */
    problem: text('problem'),
    rowCount: integer('row_count').notNull(),
    /** The last row that was checked with the current mapping. */
    checkedLine: integer('checked_line').notNull().default(0),
    /** It starts when it is checked. */
    startsChecked: boolean('starts_checked').notNull().default(false),
    /** The number whose rate it takes; null: unknown. */
    phoneNumberId: text('phone_number_id'),
    connectionId: text('connection_id'),
    /** Until then, rows were started at its rate. */
    pacedAt: instant('paced_at'),
    /** The last row whose run was read. */
    settledLine: integer('settled_line').notNull().default(0),
    /** When the job continues with it; null: nothing is left to do. */
    workAt: instant('work_at'),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    endedAt: instant('ended_at'),
  },
  (table) => [
    index('send_lists_workflow').on(table.workflowId, table.id),
    index('send_lists_workspace').on(table.workspaceId, table.id),
    uniqueIndex('send_lists_content').on(table.workflowId, table.contentHash),
    index('send_lists_work')
      .on(table.workAt)
      .where(sql`work_at is not null`),
  ],
);

export const sendListRows = pgTable(
  'send_list_rows',
  {
    listId: uuid('list_id')
      .notNull()
      .references(() => sendLists.id, { onDelete: 'cascade' }),
    /** Of the file, where the names of the columns are line 1; of a JSON array the first is 1. */
    line: integer('line').notNull(),
    /** The values, in the order of the columns. */
    data: json('data').$type<unknown[]>().notNull(),
    /** Null: not checked, or not valid. */
    recipient: text('recipient'),
    state: text('state').$type<RowState>().notNull(),
    /** Why it was skipped. */
    skipped: text('skipped').$type<SkipReason>(),
    runId: uuid('run_id'),
  },
  (table) => [
    primaryKey({ columns: [table.listId, table.line] }),
    index('send_list_rows_state').on(table.listId, table.state, table.line),
    index('send_list_rows_recipient').on(table.listId, table.recipient),
  ],
);
