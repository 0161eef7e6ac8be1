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
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { KeptAnswer } from '#lib/engine/engine-deps.ts';
import type { EventKind, EventOutcome } from '#lib/engine/event-types.ts';
import type { RunError, RunStatus, TaskRunAttempt, TaskRunStatus, WaitRule } from '#lib/engine/run-types.ts';
import { bytea, instant } from '#lib/identity/schema/workspaces.ts';

export const events = pgTable(
  'events',
  {
    id: uuid('id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Null: a notification that no workflow subscribes to. */
    workflowId: uuid('workflow_id'),
    /** The connection that received a notification. */
    connectionId: uuid('connection_id'),
    kind: text('kind').$type<EventKind>().notNull(),
    outcome: text('outcome').$type<EventOutcome>().notNull(),
    /** Why it started no run, in words. */
    reason: text('reason'),
    receivedAt: instant('received_at').notNull(),
    headers: json('headers').$type<Record<string, string>>().notNull(),
    /** Byte for byte as it arrived; of an unreadable body the first 64 KB; null when it was too large. */
    body: bytea('body'),
    runId: uuid('run_id'),
    replayOf: uuid('replay_of'),
    /** The first event with its key, of a copy. */
    duplicateOf: uuid('duplicate_of'),
    /** When retention removed body and headers. */
    bodyRemovedAt: instant('body_removed_at'),
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

/** Keys of webhooks, so that a copy starts nothing (docs/webhooks.md, "Duplicates"). A trigger without the setting has none. */
export const webhookKeys = pgTable(
  'webhook_keys',
  {
    workflowId: uuid('workflow_id').notNull(),
    /** SHA-256 of the key and where it was. */
    keyHash: bytea('key_hash').notNull(),
    /** SHA-256. */
    bodyHash: bytea('body_hash').notNull(),
    eventId: uuid('event_id').notNull(),
    runId: uuid('run_id').notNull(),
    /** The response of the first request; null: the run renders it. */
    answer: json('answer').$type<KeptAnswer>(),
    receivedAt: instant('received_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workflowId, table.keyHash] }),
    index('webhook_keys_age').on(table.receivedAt),
  ],
);

/** By which events are found at once (docs/webhooks.md, "Search"). A trigger without the setting has none. */
export const searchKeys = pgTable(
  'search_keys',
  {
    eventId: uuid('event_id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    key: text('key').notNull(),
  },
  (table) => [index('search_keys_key').on(table.workspaceId, table.key, table.eventId)],
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
    /** Increased by each take; every write names the epoch of its take. */
    epoch: integer('epoch').notNull().default(0),
    workerId: uuid('worker_id'),
    /**
     * Number of the last statement of its worker that took or wrote it. A worker numbers its statements, so that one that
     * timed out and is executed after a later one changes nothing.
     */
    lastStatement: bigint('last_statement', { mode: 'number' }).notNull().default(0),
    /** A caller waits for the response. */
    awaited: boolean('awaited').notNull().default(false),
    /** The rendered response of an awaited run. */
    answer: json('answer').$type<{ status: number; contentType: string; body: string }>(),
    error: json('error').$type<RunError>(),
    retryOf: uuid('retry_of'),
    /** Its line (`run_lines`), or the workflow's id for one that only enters its gate (`run_gates`); null: it waits for no other run. */
    line: uuid('line'),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    /** Only of waiting runs: the earliest due time. */
    resumeAt: instant('resume_at'),
    /** When retention removed the outputs of its task runs: it cannot be resumed. */
    contentsRemovedAt: instant('contents_removed_at'),
    /** The status where it is rare; null for those of successful runs, which therefore never write it. */
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
    // Those that are not the first run of their event.
    index('runs_retries')
      .on(table.eventId)
      .where(sql`retry_of is not null or version < 0`)
      .concurrently(),
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
    /** State for resuming, such as a loop's counters. */
    state: text('state'),
    /** JSON text of a loop's items: written once, when the loop begins, although `state` changes with each item. */
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
    /** Of the take that the claim belongs to. */
    epoch: integer('epoch').notNull().default(0),
  },
  (table) => [index('run_claims_worker').on(table.workerId)],
);

/**
 * Runs that have not ended, of workflows that execute them one at a time (docs/engine.md, "Lines"). Rows are only written while
 * the line is locked, by the functions of the migration that made the table.
 */
export const runLines = pgTable(
  'run_lines',
  {
    runId: uuid('run_id').primaryKey(),
    workflowId: uuid('workflow_id').notNull(),
    /** Made of the workflow and the value that its runs have in common. */
    line: uuid('line').notNull(),
    /** The order within the line. */
    place: bigint('place', { mode: 'number' }).notNull(),
    /** It is the first one: it may be executed, and has had its job. */
    hasTurn: boolean('has_turn').notNull(),
  },
  (table) => [index('run_lines_order').on(table.workflowId, table.line, table.place)],
);

/**
 * Runs that have not ended, of workflows with a gate: they limit how many runs they execute at once, or hold them while they are paused
 * (docs/engine.md, "Gates"). Rows are only written while the gate is locked, by the functions of the migration that made the table.
 */
export const runGates = pgTable(
  'run_gates',
  {
    workflowId: uuid('workflow_id').notNull(),
    /** The order at the gate. Those that are through are the first ones. */
    place: bigint('place', { mode: 'number' }).notNull(),
    runId: uuid('run_id').notNull(),
    isThrough: boolean('is_through').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workflowId, table.place] }),
    uniqueIndex('run_gates_run').on(table.runId),
  ],
);

/** The same of workspaces that limit how many runs they execute at once. Called runs are not among them: their caller waits for them. */
export const workspaceGates = pgTable(
  'workspace_gates',
  {
    workspaceId: uuid('workspace_id').notNull(),
    /** The order at the gate. Those that are through are the first ones. */
    place: bigint('place', { mode: 'number' }).notNull(),
    runId: uuid('run_id').notNull(),
    isThrough: boolean('is_through').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.place] }),
    uniqueIndex('workspace_gates_run').on(table.runId),
  ],
);

/**
 * Runs that a task of another run has started (docs/engine.md, "Calls"). The run's end wakes the caller by `return_calls` of the
 * migration that made the table; so each of them has a line, or its workflow's id in place of one.
 */
export const runCalls = pgTable(
  'run_calls',
  {
    /** The called run. */
    runId: uuid('run_id').primaryKey(),
    workspaceId: uuid('workspace_id').notNull(),
    callerRunId: uuid('caller_run_id').notNull(),
    taskId: integer('task_id').notNull(),
    iteration: text('iteration').notNull(),
    /** Number of runs above it. */
    depth: smallint('depth').notNull(),
    /** The caller waits for its end, and is not cancelled without it. */
    isAwaited: boolean('is_awaited').notNull(),
    /** While this one waits for its turn: the run above it whose place at the gate of the workspace others may take. */
    lenderRunId: uuid('lender_run_id'),
  },
  (table) => [
    index('run_calls_caller').on(table.callerRunId),
    index('run_calls_lender')
      .on(table.lenderRunId)
      .where(sql`lender_run_id is not null`)
      .concurrently(),
  ],
);

/** Heartbeats of the processes that hold jobs and runs. */
export const processes = pgTable('processes', {
  id: uuid('id').primaryKey(),
  kind: text('kind').$type<'web' | 'worker'>().notNull(),
  /** The id under which it locks jobs. */
  jobPoolId: text('job_pool_id'),
  startedAt: instant('started_at').notNull().defaultNow(),
  heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  /** When it last locked a job, as of its heartbeat; null until it has. */
  lastJobAt: instant('last_job_at'),
});

// Waits of runs for signals (docs/engine.md, "Signals"). A run without such waits has no row here.

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
    // In which order runs wait for the end of a customer's hold, also those that are being resumed.
    index('signal_waits_holds')
      .on(table.workspaceId, table.key)
      .where(sql`key like 'customer:hold:%'`)
      .concurrently(),
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
