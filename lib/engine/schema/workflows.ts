import {
  boolean,
  index,
  integer,
  json,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { bytea, instant, workspaces } from '#lib/identity/schema/workspaces.ts';

export const workflows = pgTable(
  'workflows',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    draft: json('draft').$type<WorkflowGraph>().notNull(),
    /** Version of the rules by which secrets were extracted from the draft; 0: none were. */
    sealedBy: smallint('sealed_by').notNull().default(0),
    /** Raised by every write of the draft, so that two editors never overwrite each other silently. */
    draftRevision: integer('draft_revision').notNull().default(1),
    /** The id of the next new task: ids are never reused. */
    nextTaskId: integer('next_task_id').notNull(),
    triggerTaskId: integer('trigger_task_id').notNull(),
    publishedVersion: integer('published_version'),
    active: boolean('active').notNull().default(false),
    /** While it is paused, webhooks start runs that wait at its gate (`run_gates`). */
    holdsRuns: boolean('holds_runs').notNull().default(false),
    /** How many of its runs pass the gate at once; null: all. */
    maxConcurrentRuns: integer('max_concurrent_runs'),
    /** The published version responds after the workflow: its callers wait. */
    answersAfterRun: boolean('answers_after_run').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** Tags for filtering. */
    tags: text('tags').array().notNull().default([]),
    /** Deleted workflows can be restored for a while. */
    deletedAt: instant('deleted_at'),
  },
  (table) => [index('workflows_workspace').on(table.workspaceId, table.id)],
);

export const workflowVersions = pgTable(
  'workflow_versions',
  {
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    name: text('name').notNull(),
    graph: json('graph').$type<WorkflowGraph>().notNull(),
    /** See the draft's. */
    sealedBy: smallint('sealed_by').notNull().default(0),
    createdAt: instant('created_at').notNull().defaultNow(),
    createdBy: text('created_by'),
  },
  (table) => [primaryKey({ columns: [table.workflowId, table.version] })],
);

export const webhookTokens = pgTable(
  'webhook_tokens',
  {
    /** SHA-256 of the token. */
    tokenHash: bytea('token_hash').primaryKey(),
    workflowId: uuid('workflow_id')
      .notNull()
      .references(() => workflows.id, { onDelete: 'cascade' }),
    /** Encrypted, so that editors can copy the URLs again. */
    tokenEncrypted: text('token_encrypted').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Set when a newer token replaced it: it is valid until then. */
    expiresAt: instant('expires_at'),
  },
  (table) => [index('webhook_tokens_workflow').on(table.workflowId)],
);
