// What the engine and the executors of tasks say to each other. The engine knows no concrete task.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import type { RunError, WaitRule } from './run-types.ts';

type StoredSettings = Record<string, unknown>;

/** What an effect reaches: a person who gets a message, another service, or the user's account at the platform. */
export type EffectTarget =
  { kind: 'person'; id: string } | { kind: 'service'; host: string } | { kind: 'account' };

/** Something that an executor is about to change outside. */
export interface SideEffect<Result> {
  target: EffectTarget;
  /** What would leave, for the user who runs a draft. */
  shown: () => JsonObject;
  /** What the executor continues with where nothing leaves. */
  instead: () => Result;
}

/** How executors change something outside. */
export interface SideEffects {
  /**
   * The only way to do so: `act` sends the request, or a run of the draft captures it and gives what stands for its answer.
   * @param act is told whom a message goes to, which in a run of the draft may be somebody else
   */
  changeOutside<Result>(
    effect: SideEffect<Result>,
    act: (person: string) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Records durably that this execution is about to change something outside. Await it within `act`, right before the
   * request leaves: an execution that is interrupted before has changed nothing and is repeated, after it `ifInterrupted`
   * decides. Once recorded, it resolves at once.
   * @throws RunLostError, to be passed on, when the run is not ours any more: then nothing may be changed.
   */
  recordSideEffect(): Promise<void>;
  /** Takes the record back: the answer says that nothing was changed, and the executor does something else first. */
  withdrawSideEffect(): Promise<void>;
}

/** Outside of draft runs everything leaves as it is. */
export const changeOutside: SideEffects['changeOutside'] = ({ target }, act) =>
  act(target.kind === 'person' ? target.id : '');

/** What a task is going to wait for. */
export interface ListenOptions {
  /** Text that signals of the workspace name, such as a customer of a number. */
  key: string;
  /** Which of several waits for the key gets a signal; left out: the one opened last. */
  rule?: WaitRule;
  /**
   * Signals count as one until none has arrived for this time, and the task is executed; left out: the first one ends the wait.
   */
  quietMs?: number;
}

/** What came of a wait for a signal. */
export interface Resumption {
  /** In the order in which they came; empty when the deadline passed without any. */
  signals: readonly JsonValue[];
  /** What the result `listen` kept. */
  memory: JsonValue;
  /**
   * Ends the wait that was opened as the one before was closed (`goesOn`). To be called before any result but `listen`:
   * signals that reached it are used by no other run.
   * @returns what came for it, in its order; nothing where none was opened
   */
  stopListening(): Promise<JsonValue[]>;
}

/** The engine hands settings as a version stores them; executors of task types get them parsed (lib/tasks/executor-of.ts). */
export interface TaskContext<Settings = StoredSettings> extends SideEffects {
  /** Texts in them still hold their variables; secrets are filled in. */
  settings: Settings;
  /** Gives variables their values, as seen from this task in this iteration. */
  scope: VariableScope;
  workspaceId: string;
  workflowId: string;
  runId: string;
  taskId: number;
  iteration: string;
  attempt: number;
  /** This attempt was begun before, and put off. */
  isRepeat?: boolean | undefined;
  now: Date;
  /** By which a request tells the trace of the caller that started the run. Left out, or empty: there is none. */
  traceHeaders?(): Record<string, string>;
  /** The execution continues after a wait for a signal; absent: it begins. */
  resumed?: Resumption | undefined;
  /**
   * Opens a wait that the execution is going to end with (result `listen`). It is on record from the next
   * `recordSideEffect` on, so that what answers a request before that was acknowledged is not lost.
   */
  listen(options: ListenOptions): void;
  /** Puts the wait on record at once, for a task that looks then whether what it waits for has happened already. */
  recordWait(): Promise<void>;
}

/** Another worker has taken the run, or it was cancelled. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
}

export type TaskResult =
  | { kind: 'done'; output: JsonValue; runText: string; branch?: string }
  /** Continues at an instant, however often the process starts again until then. */
  | { kind: 'wait'; until: Date; output: JsonValue; runText: string }
  /** Is executed again with what comes for the wait that it opened by `listen`, or at the instant with nothing. */
  | {
      kind: 'listen';
      until: Date;
      /** The execution that follows continues to listen: what comes before its next `listen` is not lost. */
      goesOn?: boolean;
      memory: JsonValue;
      output: JsonValue;
      runText: string;
    }
  | {
      kind: 'loop';
      /** Null: the loop only counts. */
      items: JsonValue[] | null;
      count: number;
      pauseSeconds: number;
      onItemFailure: 'stop' | 'continue';
    };

export interface TaskExecutor<Settings = StoredSettings> {
  execute(context: TaskContext<Settings>): TaskResult | Promise<TaskResult>;
  /** Whether an execution changes something outside: it calls `changeOutside`. */
  hasSideEffect?(settings: Settings): boolean;
  /** What to do by default with an execution that a crash interrupted after its side effect was recorded; default `retry`. */
  ifInterrupted?(settings: Settings): 'flag' | 'retry';
  /** The branch that is taken when the task failed and the run continues; undefined, or left out: the plain exit. */
  branchAfterFailure?(settings: StoredSettings): string | undefined;
}

export type FindExecutor = (type: string) => TaskExecutor | undefined;

export type RetryAdvice =
  | { kind: 'never' }
  | { kind: 'backoff' }
  | { kind: 'after'; seconds: number }
  /** Nothing was tried yet, because it is not its turn: it is executed again then, which is not counted as an attempt. */
  | { kind: 'put_off'; seconds: number };

/** A task's failure: says in words what happened, and whether and when another try makes sense. */
export class TaskError extends Error {
  readonly code: string;
  readonly retry: RetryAdvice;
  readonly details: JsonValue | undefined;
  /** What later tasks can read of the failed one. */
  output: JsonValue | undefined;
  /** The side effect may have happened: it is flagged, never repeated automatically. */
  readonly outcomeUnknown: boolean;

  constructor(
    code: string,
    message: string,
    options: { retry?: RetryAdvice; details?: JsonValue; outcomeUnknown?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'TaskError';
    this.code = code;
    this.retry = options.retry ?? { kind: 'never' };
    this.details = options.details;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }

  toRunError(taskId: number): RunError {
    const error: RunError = { code: this.code, message: this.message, task_id: taskId };
    if (this.details !== undefined) error.details = this.details;
    return error;
  }
}
