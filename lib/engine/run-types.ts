import type { JsonValue } from '#lib/core/json/value.ts';

export const RUN_STATUSES = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The trigger's `run_text` when it succeeded. */
export const TRIGGER_RUN_TEXT = 'Inbound data was received and processed successfully.';

export type TaskRunStatus =
  | 'running'
  | 'waiting'
  | 'succeeded'
  | 'failed'
  /** A side effect whose response was lost: it is never repeated automatically (docs/engine.md). */
  | 'outcome_unknown'
  | 'skipped'
  | 'cancelled';

/** Error of a run or task run, as stored and in the API. */
export interface RunError {
  code: string;
  message: string;
  task_id?: number;
  details?: JsonValue;
}

export interface TaskRunAttempt {
  attempt: number;
  started_at: string;
  finished_at: string;
  error: RunError;
}

/** Which of several waits for one key gets a signal: the one opened last, the one opened first, or each of them. */
export const WAIT_RULES = ['newest', 'oldest', 'all'] as const;
export type WaitRule = (typeof WAIT_RULES)[number];

/** What a task run waits for besides a time (docs/engine.md, "Signals"). */
export interface SignalWait {
  id: string;
  /** Signals are addressed to it, within the run's workspace. */
  key: string;
  rule: WaitRule;
  /** Signals within this time of each other count as one; 0: the first one ends the wait. */
  quietMs: number;
  /** It receives no further signals: the task gets those that arrived before. */
  isClosed?: true;
  /** The next wait is opened as this one is closed. */
  keepsListening?: true;
}

/** A wait for a signal and the task run that has it. */
export interface RunWait extends SignalWait {
  taskId: number;
  iteration: string;
  /** The task run's execution has ended, so that the run continues as soon as a signal arrives. */
  isAwaited: boolean;
}

/** One execution of one task in a run, in one iteration (docs/glossary.md). Instants are milliseconds since 1970. */
export interface TaskRun {
  taskId: number;
  /** Indexes of the loops around it, outermost first, joined by dots; empty outside loops. */
  iteration: string;
  status: TaskRunStatus;
  branch?: string | undefined;
  runText?: string | undefined;
  output?: JsonValue | undefined;
  error?: RunError | undefined;
  attempt: number;
  attempts?: TaskRunAttempt[] | undefined;
  loop?: LoopState | undefined;
  startedAt?: number | undefined;
  finishedAt?: number | undefined;
  /** When a waiting task run continues. */
  resumeAt?: number | undefined;
  /**
   * Why it waits: for its own wait, for a retry, for a repetition of an attempt that had no effect yet, for the loop's next
   * item, or for a signal.
   */
  waitingFor?: 'delay' | 'retry' | 'repeat' | 'pause' | 'signal' | undefined;
  /** Its current wait, or the one that resumed it; `resumeAt` is the deadline. */
  wait?: SignalWait | undefined;
  /** The wait that the current execution will end with: it already receives signals. */
  listening?: SignalWait | undefined;
  /** State for the task after its wait. */
  memory?: JsonValue | undefined;
  /** True from the record before a side effect until its outcome is known. */
  inFlight?: boolean | undefined;
  /** In a run of the draft: what would have been sent. */
  captured?: JsonValue[] | undefined;
}

export interface LoopState {
  /** Null when the loop only counts. */
  items: JsonValue[] | null;
  count: number;
  /** Indexes of the items that have begun and not ended, ascending. */
  open: number[];
  /** Index of the item that begins next. */
  next: number;
  /** The most items that are open at the same time; 1: one after another. */
  atOnce: number;
  failedCount: number;
  pauseSeconds: number;
  onItemFailure: 'stop' | 'continue';
  /** It ends after the first item (a pass) after which its condition holds, else after the last one. */
  isUntil?: true;
  /** Number of task runs of finished items. */
  pastTaskRuns: number;
}

/** A loop as saved at each of its items, which have their own column. */
export type SavedLoop = Omit<LoopState, 'items'>;
