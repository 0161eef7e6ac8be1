// The hot tables: no foreign keys, and only indexes whose columns a successful run never changes,
// so that taking and finishing a run stay heap-only updates.
import { sql } from 'drizzle-orm';
import {
  bigint,
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
import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import type { RunError, RunStatus, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import { bytea, instant } from '#lib/identity/schema/workspaces.ts';

export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Null: a notification that no workflow got. */
    workflowId: uuid('workflow_id'),
    /** Whose receiver a notification came to. */
    connectionId: uuid('connection_id'),
    kind: text('kind').$type<EventKind>().notNull(),
    outcome: text('outcome').$type<EventOutcome>().notNull(),
    /** Why it was not triggered, in words. */
    reason: text('reason'),
    receivedAt: instant('received_at').notNull(),
    headers: json('headers').$type<Record<string, string>>().notNull(),
    /** Byte for byte as it arrived; of an unreadable body the first 64 KB; null when it was too large. */
    body: bytea('body'),
    runId: uuid('run_id'),
    replayOf: uuid('replay_of'),
  },
  (table) => [
    index('events_workspace').on(table.workspaceId, table.id),
    index('events_workflow').on(table.workflowId, table.id),
    index('events_workspace_rare')
      .on(table.workspaceId, table.outcome, table.id)
      .where(sql`outcome <> 'triggered'`),
    index('events_workflow_rare')
      .on(table.workflowId, table.outcome, table.id)
      .where(sql`outcome <> 'triggered'`),
    index('events_replays')
      .on(table.replayOf)
      .where(sql`replay_of is not null`),
  ],
);

export const runs = pgTable(
  'runs',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    workflowId: uuid('workflow_id').notNull(),
    version: integer('version').notNull(),
    eventId: uuid('event_id').notNull(),
    status: text('status').$type<RunStatus>().notNull().default('queued'),
    /** Raised by each taking; every write names the epoch it was taken under. */
    epoch: integer('epoch').notNull().default(0),
    workerId: uuid('worker_id'),
    /**
     * The number of its worker's last statement that took or wrote it. A worker counts its statements, so that one which it gave
     * up, and which is executed after a later one, changes nothing.
     */
    lastStatement: bigint('last_statement', { mode: 'number' }).notNull().default(0),
    /** A caller waits for the answer. */
    awaited: boolean('awaited').notNull().default(false),
    /** The rendered answer of an awaited run. */
    answer: json('answer').$type<{ status: number; contentType: string; body: string }>(),
    error: json('error').$type<RunError>(),
    retryOf: uuid('retry_of'),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Only of waiting runs: the first instant at which something is due. */
    resumeAt: instant('resume_at'),
    /** The status where few runs have it; null for all that a successful run goes through, which never writes it. */
    rareStatus: text('rare_status').generatedAlwaysAs(
      sql`case when status in ('waiting', 'failed', 'cancelled') then status end`,
    ),
  },
  (table) => [
    index('runs_workspace').on(table.workspaceId, table.id),
    index('runs_workflow').on(table.workflowId, table.id),
    index('runs_workspace_rare')
      .on(table.workspaceId, table.rareStatus, table.id)
      .where(sql`rare_status is not null`),
    index('runs_workflow_rare')
      .on(table.workflowId, table.rareStatus, table.id)
      .where(sql`rare_status is not null`),
  ],
);

export const taskRuns = pgTable(
  'task_runs',
  {
    runId: uuid('run_id').notNull(),
    taskId: integer('task_id').notNull(),
    /** Zero-based indexes of the loops around it, outermost first, joined by dots; empty outside loops. */
    iteration: text('iteration').notNull().default(''),
    status: text('status').$type<TaskRunStatus>().notNull(),
    branch: text('branch'),
    runText: text('run_text'),
    /** JSON text, so that no digit and no escape is lost; null for the trigger, whose output is the event's body. */
    output: text('output'),
    error: json('error').$type<RunError>(),
    attempt: smallint('attempt').notNull().default(1),
    /** Earlier attempts, when there were any. */
    attempts: json('attempts').$type<TaskRunAttempt[]>(),
    /** What the engine needs to continue, such as a loop's counters. */
    state: text('state'),
    /** JSON text of a loop's items: written when it begins and never again, however often `state` is. */
    items: text('items'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    resumeAt: instant('resume_at'),
  },
  (table) => [primaryKey({ columns: [table.runId, table.taskId, table.iteration] })],
);

/** Runs that outlived the job that started them, by the worker that holds them. */
export const runClaims = pgTable(
  'run_claims',
  {
    runId: uuid('run_id').primaryKey(),
    workerId: uuid('worker_id').notNull(),
    /** Of the taking that is claimed. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [index('run_claims_worker').on(table.workerId)],
);

/** Heartbeats of the processes that hold jobs and runs. */
export const processes = pgTable('processes', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<'web' | 'worker'>().notNull(),
  /** The id under which it locks jobs. */
  jobPoolId: text('job_pool_id'),
  startedAt: instant('started_at').notNull().defaultNow(),
  heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  /** When it last locked a job, as its heartbeat told; null until it has. */
  lastJobAt: instant('last_job_at'),
});
