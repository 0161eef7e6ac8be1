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
    /** The edition of the rules by which secrets were taken out of the draft; 0: none were. */
    sealedBy: smallint('sealed_by').notNull().default(0),
    /** Raised by every write of the draft, so that two editors never overwrite each other silently. */
    draftRevision: integer('draft_revision').notNull().default(1),
    /** Task ids are never used again: the next one to give out. */
    nextTaskId: integer('next_task_id').notNull(),
    triggerTaskId: integer('trigger_task_id').notNull(),
    publishedVersion: integer('published_version'),
    active: boolean('active').notNull().default(false),
    /** The published version's trigger answers after the workflow: its callers wait. */
    answersAfterRun: boolean('answers_after_run').notNull().default(false),
    createdAt: instant('created_at').notNull().defaultNow(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
    /** What people sort workflows by. */
    tags: text('tags').array().notNull().default([]),
    /** Deleted workflows can be brought back for a while. */
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
    /** As of the draft. */
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
    /** So that editors can copy the URLs again. */
    tokenEncrypted: text('token_encrypted').notNull(),
    createdAt: instant('created_at').notNull().defaultNow(),
    /** Set when a newer token replaced it: it lives on until then. */
    expiresAt: instant('expires_at'),
  },
  (table) => [index('webhook_tokens_workflow').on(table.workflowId)],
);
