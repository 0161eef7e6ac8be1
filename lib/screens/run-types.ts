// Data of the runs' screens. Instants are ISO 8601.
import type { RunError, RunStatus, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { RunCustomer, RunDelivery } from '#lib/runs/schema.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import type { ShownStatus } from '#lib/messaging/schema/message-statuses.ts';
import type { SentKind } from '#lib/messaging/schema/messaging.ts';

export interface RunRow {
  id: string;
  workflowId: string;
  /** Null: a run of the draft. */
  version: number | null;
  /** Of a run of the draft: the revision that it executes. */
  draftRevision: number | null;
  status: RunStatus;
  /** Whether a message of the run was not delivered; null: no such report. */
  delivery: RunDelivery | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  resumeAt: string | null;
  /** What it waits for, as a task has named it, such as "Waiting for the customer’s answer"; null: not named. */
  waitsFor: string | null;
  /** The run before which it cannot begin: both have the same value, by which the trigger orders them. */
  waitsForRun: string | null;
  /** The number of runs before it, while its workflow executes as many as it may or is paused; null: it does not wait for that. */
  waitsForRuns: number | null;
  /** When it begins, unless another webhook of its burst arrives before; null: it does not wait for quiet. */
  waitsForQuietUntil: string | null;
  problem: string | null;
  /** Advice for a failed run. */
  advice: string | null;
  isRetry: boolean;
  /** The run whose task called it; null: none did. */
  calledBy: string | null;
  /** Whom it is about, masked; null: none, or several. */
  customer: RunCustomer | null;
}

export interface MessageView {
  messageId: string;
  taskId: number | null;
  iteration: string;
  kind: SentKind | null;
  templateName: string | null;
  /** Masked unless the reader may edit. */
  recipient: string;
  status: ShownStatus;
  /** Of a failed message: the reason and what to do. */
  problem: string | null;
  steps: { status: ShownStatus; at: string; problem: string | null }[];
}

export interface TaskRunRow {
  taskId: number;
  name: string;
  type: string | null;
  isTrigger: boolean;
  iteration: readonly number[];
  /** Ids of the loops around it, outermost first. */
  loops: readonly number[];
  /** Of a loop: what one of its items is called; null: it is none. */
  itemName: string | null;
  status: TaskRunStatus;
  /** The label of the exit that was taken. */
  branch: string | null;
  runText: string | null;
  /** JSON of what a run of the draft would have sent. */
  captured: string[];
  attempt: number;
  /** Attempts before the one of `startedAt`, in order. */
  earlier: { startedAt: string; finishedAt: string }[];
  startedAt: string | null;
  finishedAt: string | null;
  resumeAt: string | null;
}

/** The page on which the reason of a failure is removed. */
export interface FixPlace {
  href: string;
  label: string;
}

/** A run that a task has called. */
export interface CalledRunView {
  taskId: number;
  iteration: readonly number[];
  runId: string;
  workflowId: string;
  workflowName: string;
  status: RunStatus;
}

export interface RunView {
  run: RunRow & {
    eventId: string;
    error: RunError | null;
    /** Null: not on a page of a connection, or it is not known which one failed. */
    fixPlace: FixPlace | null;
    retryOf: string | null;
    /** The workflow of the run that called it; null: it was not called, or that one is removed. */
    callerName: string | null;
    awaited: boolean;
    /** When retention removed the tasks' outputs; null: it did not. */
    contentsRemovedAt: string | null;
  };
  tasks: TaskRunRow[];
  /** The cursor of the next page of tasks; null on the last page. */
  nextOffset: number | null;
  messages: MessageView[];
  /** The events of its burst, in the order of their arrival; empty: it has none. */
  burstEventIds: string[];
  /** The runs that its tasks called. */
  calls: CalledRunView[];
  /** Other runs that wait for an answer of the same customer, from the first that waits on; empty: there are none. */
  rivals: RivalRun[];
  /** Whether this run gets the customer's next answer. */
  getsAnswer: boolean;
  /** Its tasks send messages to customers: there may be conversations to show. */
  talks: boolean;
  /** When this was read. */
  now: string;
}

/** A run that waits for an answer of the same customer. */
export interface RivalRun {
  runId: string;
  /** Its workflow. */
  name: string;
  /** It gets the customer's next answer. */
  getsAnswer: boolean;
}

/** The messages with a customer in a run. */
export interface ConversationView {
  /** Masked unless the reader may edit. */
  customer: string;
  messages: SaidMessage[];
  /** ISO 8601: the deadline for an answer; null: none is awaited. */
  waitsUntil: string | null;
}

/** A task's setting, and its value in the run where that differs. Both for display. */
export interface SettingView {
  name: string;
  label: string;
  drawn: string;
  /** Null: it has no variables, or they cannot be rendered here. */
  filled: string | null;
}

/** The response that the caller of the trigger's URL got. */
export interface CallerResponse {
  status: number;
  /** Null: a redirect, whose target is the body. */
  contentType: string | null;
  body: string;
}

export interface TaskRunDetail {
  settings: SettingView[];
  /** Of the trigger; null: no caller, or the caller still waits. */
  response: CallerResponse | null;
  /** Indented JSON with all digits; null: there is none. */
  output: string | null;
  /** The output was truncated. */
  isCut: boolean;
  error: RunError | null;
  fixPlace: FixPlace | null;
  errorDetails: string | null;
  attempts: TaskRunAttempt[];
}
