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
  /** A side effect whose answer was lost: it is never repeated automatically (docs/engine.md). */
  | 'outcome_unknown'
  | 'skipped'
  | 'cancelled';

/** Error, as runs and task runs keep it and the API shows it. */
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

/** What a task run waits for besides an instant (docs/engine.md, "Signals"). */
export interface SignalWait {
  id: string;
  /** Signals name it; in the run's workspace. */
  key: string;
  rule: WaitRule;
  /** Signals count as one until none has arrived for this time; 0: the first one ends the wait. */
  quietMs: number;
  /** Nothing reaches it any more: what came by then is what its task gets. */
  isClosed?: true;
  /** The one that follows is opened as this one is closed. */
  goesOn?: true;
}

/** A wait for a signal and the task run that has it. */
export interface RunWait extends SignalWait {
  taskId: number;
  iteration: string;
  /** The task run has ended its execution, so that the run continues as soon as something came. */
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
   * Why it waits: the task's own wait is over then, the task is tried again, it is executed again because the attempt never
   * got as far as doing something, the loop goes to its next item, or the task gets what came for its wait.
   */
  waitingFor?: 'delay' | 'retry' | 'repeat' | 'pause' | 'signal' | undefined;
  /** The wait it is in, or was resumed by; `resumeAt` is its deadline. */
  wait?: SignalWait | undefined;
  /** The wait that the execution under way will end with: signals reach it already. */
  listening?: SignalWait | undefined;
  /** What the task wants to know when its wait is over. */
  memory?: JsonValue | undefined;
  /** Recorded before it changes something outside, until the outcome is known. */
  inFlight?: boolean | undefined;
  /** In a run of the draft: what would have been sent. */
  captured?: JsonValue[] | undefined;
}

/** A loop as it is saved at each of its items. */
export type SavedLoop = Omit<LoopState, 'items' | 'pastTaskRuns'> & { pastTaskRuns?: number };

export interface LoopState {
  /** Null when the loop only counts. */
  items: JsonValue[] | null;
  count: number;
  /** The iteration that is under way. */
  index: number;
  failedCount: number;
  pauseSeconds: number;
  onItemFailure: 'stop' | 'continue';
  /** How many task runs the items made that are over. */
  pastTaskRuns: number;
}
