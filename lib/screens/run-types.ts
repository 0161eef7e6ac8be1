// What the screens of runs are handed. Instants are ISO 8601.
import type { RunError, RunStatus, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { SaidMessage } from '#lib/tasks/conversation.ts';
import type { MessageStatus } from '#lib/messaging/schema/message-status-types.ts';
import type { SentKind } from '#lib/messaging/schema/sent-kinds.ts';

export interface RunRow {
  id: string;
  workflowId: string;
  /** Null: a run of the draft. */
  version: number | null;
  /** Of a run of the draft: the revision that it executes. */
  draftRevision: number | null;
  status: RunStatus;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  resumeAt: string | null;
  /** While it waits for something that a task named, such as "Waiting for the customer’s answer"; null: nothing was named. */
  waitsFor: string | null;
  problem: string | null;
  /** What to do about a run that failed. */
  advice: string | null;
  isRetry: boolean;
}

export interface MessageView {
  messageId: string;
  taskId: number | null;
  iteration: string;
  kind: SentKind | null;
  templateName: string | null;
  /** Masked unless who looks may edit. */
  recipient: string;
  status: MessageStatus;
  steps: { status: MessageStatus; at: string; problem: string | null }[];
}

export interface TaskRunRow {
  taskId: number;
  name: string;
  type: string | null;
  isTrigger: boolean;
  iteration: readonly number[];
  /** Ids of the loops around it, outermost first. */
  loops: readonly number[];
  status: TaskRunStatus;
  /** The label of the exit that was taken. */
  branch: string | null;
  runText: string | null;
  /** JSON of what a run of the draft would have sent. */
  captured: string[];
  attempt: number;
  /** Attempts before the one that `startedAt` is of, in their order. */
  earlier: { startedAt: string; finishedAt: string }[];
  startedAt: string | null;
  finishedAt: string | null;
  resumeAt: string | null;
}

export interface RunView {
  run: RunRow & { eventId: string; error: RunError | null; retryOf: string | null; awaited: boolean };
  tasks: TaskRunRow[];
  /** The cursor of the next page of tasks; null on the last page. */
  nextOffset: number | null;
  messages: MessageView[];
  /** Its tasks talk with customers: there may be conversations to show. */
  talks: boolean;
  /** When this was read. */
  now: string;
}

/** What was said to a customer in a run, and what they answered. */
export interface ConversationView {
  /** Masked unless who looks may edit. */
  customer: string;
  messages: SaidMessage[];
  /** ISO 8601: until when an answer is waited for; null: none is. */
  waitsUntil: string | null;
}

/** A setting of a task as it was drawn, and as it was in the run where that differs. Both are shown texts. */
export interface SettingView {
  name: string;
  label: string;
  drawn: string;
  /** Null: it holds no variables, or they cannot be filled in here. */
  filled: string | null;
}

/** What the caller of the trigger's URL got. */
export interface CallerResponse {
  status: number;
  /** Null: a redirect, whose target is the body. */
  contentType: string | null;
  body: string;
}

export interface TaskRunDetail {
  settings: SettingView[];
  /** Of the trigger; null: nobody called, or the caller still waits. */
  response: CallerResponse | null;
  /** Indented JSON with all digits; null: there is none. */
  output: string | null;
  /** The output was too large to be shown whole. */
  isCut: boolean;
  error: RunError | null;
  errorDetails: string | null;
  attempts: TaskRunAttempt[];
}
