// The interface between the engine and the executors of tasks. The engine knows no concrete task.
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import type { RunError, WaitRule } from './run-types.ts';

type StoredSettings = Record<string, unknown>;

/** Target of an effect: a person who gets a message, another service, or the user's account at the platform. */
export type EffectTarget =
  | { kind: 'person'; id: string }
  | { kind: 'service'; host: string }
  | { kind: 'account' };

/** A change outside that an executor is about to make. */
export interface SideEffect<Result> {
  target: EffectTarget;
  /** What would be sent, for the user who runs a draft. */
  shown: () => JsonObject;
  /** The result that the executor continues with when nothing is sent. */
  instead: () => Result;
}

/** How executors change something outside. */
export interface SideEffects {
  /**
   * The only way to cause a side effect: `act` sends the request, or a run of the draft captures it and returns a substitute
   * result.
   * @param act receives the recipient of a message, which a run of the draft may replace
   */
  changeOutside<Result>(
    effect: SideEffect<Result>,
    act: (person: string) => Promise<Result>,
  ): Promise<Result>;
  /**
   * Records durably that this execution is about to change something outside. Await it inside `act`, right before the request
   * is sent: an execution that is interrupted before has changed nothing and is repeated; after it, `ifInterrupted` decides.
   * Later calls resolve at once.
   * @throws RunLostError, to be rethrown, when another worker has taken the run: then nothing may be changed
   */
  recordSideEffect(): Promise<void>;
  /** Withdraws the record: the response shows that nothing was changed, and the executor does something else first. */
  withdrawSideEffect(): Promise<void>;
}

/** Outside draft runs everything is sent unchanged. */
export const changeOutside: SideEffects['changeOutside'] = ({ target }, act) =>
  act(target.kind === 'person' ? target.id : '');

/** What a task waits for. */
export interface ListenOptions {
  /** Text that signals are addressed to within the workspace, such as a customer of a number. */
  key: string;
  /** Which of several waits for the key gets a signal; left out: the one opened last. */
  rule?: WaitRule;
  /** Signals within this time of each other count as one; left out: the first one ends the wait. */
  quietMs?: number;
}

/** Result of a wait for a signal. */
export interface Resumption {
  /** In the order of arrival; empty when the deadline passed without any. */
  signals: readonly JsonValue[];
  /** The `memory` of the result `listen`. */
  memory: JsonValue;
  /**
   * Closes the wait that was opened when the previous one was closed (`keepsListening`). Call it before any result but
   * `listen`: its signals reach no other run.
   * @returns its signals, in order; none where no wait was opened
   */
  stopListening(): Promise<JsonValue[]>;
}

/** The engine passes settings as stored in a version; executors of task types get them parsed (lib/tasks/executor-of.ts). */
export interface TaskContext<Settings = StoredSettings> extends SideEffects {
  /** Texts still contain their variables; secrets are filled in. */
  settings: Settings;
  /** Resolves variables, as seen from this task in this iteration. */
  scope: VariableScope;
  workspaceId: string;
  workflowId: string;
  runId: string;
  taskId: number;
  iteration: string;
  attempt: number;
  /** An earlier attempt opened a wait, and was interrupted or failed before it ended with it: the wait is still recorded. */
  hasOpenWait?: boolean | undefined;
  /** This attempt was begun before, and postponed. */
  isRepeat?: boolean | undefined;
  now: Date;
  /** Headers that propagate the trace of the run's caller. Left out, or empty: there is none. */
  traceHeaders?(): Record<string, string>;
  /** Whether something is connected to this exit. */
  hasExit(branch: string): boolean;
  /** The execution continues after a wait for a signal; absent: it begins. */
  resumed?: Resumption | undefined;
  /**
   * Opens a wait that the execution will end with (result `listen`). It is recorded by the next `recordSideEffect`, so that
   * no early response to the request is lost.
   */
  listen(options: ListenOptions): void;
  /** Records the wait at once, for a task that then checks whether the event has happened already. */
  recordWait(): Promise<void>;
}

/** Another worker has taken the run, or it was cancelled. */
export class RunLostError extends Error {
  override readonly name = 'RunLostError';
}

export type TaskResult =
  | { kind: 'done'; output: JsonValue; runText: string; branch?: string }
  /** Continues at a time, however often the process restarts until then. */
  | { kind: 'wait'; until: Date; output: JsonValue; runText: string }
  /** Is executed again with the signals of the wait that it opened by `listen`, or at the deadline without any. */
  | {
      kind: 'listen';
      until: Date;
      /** The next execution keeps listening: signals before its next `listen` are not lost. */
      keepsListening?: boolean;
      /** An after-workflow caller is not answered yet: the wait may be short. */
      keepsCaller?: true;
      memory: JsonValue;
      output: JsonValue;
      runText: string;
    }
  | {
      kind: 'loop';
      /** Null: the loop only counts. */
      items: JsonValue[] | null;
      count: number;
      /** How many items may be open at the same time; left out: one after another, as with a pause. */
      atOnce?: number;
      pauseSeconds: number;
      onItemFailure: 'stop' | 'continue';
      /** The loop ends as soon as `endsLoop` says so; its items are passes, `count` is the most of them. */
      isUntil?: true;
    };

export interface TaskExecutor<Settings = StoredSettings> {
  execute(context: TaskContext<Settings>): TaskResult | Promise<TaskResult>;
  /** Whether an execution changes something outside with `changeOutside`. */
  hasSideEffect?(settings: Settings): boolean;
  /** The default for an execution that a crash interrupted after its side effect was recorded; default `retry`. */
  ifInterrupted?(settings: Settings): 'flag' | 'retry';
  /**
   * Whether a loop ends after a pass (`isUntil`). @param context its scope is that of `afterTask`
   * @throws TaskError where its condition cannot be tested
   */
  endsLoop?(context: Pick<TaskContext<Settings>, 'settings' | 'scope'>): boolean;
  /** The branch that is taken when the task failed and the run continues; undefined, or left out: the plain exit. */
  branchAfterFailure?(settings: StoredSettings): string | undefined;
}

export type FindExecutor = (type: string) => TaskExecutor | undefined;

export type RetryAdvice =
  | { kind: 'never' }
  | { kind: 'backoff' }
  | { kind: 'after'; seconds: number }
  /**
   * Nothing was attempted yet, because it is not its turn: it is executed again later, which does not count as an attempt.
   */
  | { kind: 'put_off'; seconds: number };

/** A task's failure: describes what happened, and whether and when a retry makes sense. */
export class TaskError extends Error {
  readonly code: string;
  readonly retry: RetryAdvice;
  readonly details: JsonValue | undefined;
  /** Output of the failed task for later tasks. */
  output: JsonValue | undefined;
  /** The side effect may have happened: its outcome is unknown, and it is never repeated automatically. */
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
