// What the engine needs from the process that advances runs.
import type { Clock } from '#lib/core/clock.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { ObservedFailure } from '#lib/core/telemetry.ts';
import type { DraftRunOptions } from './draft-run.ts';
import type { CompiledGraph } from './graph.ts';
import type { RunState, TakenRun } from './run-state.ts';
import type { RunError, RunStatus, RunWait, TaskRun } from './run-types.ts';
import type { FindExecutor } from './task-executor.ts';

/** Keeps runs in memory that wait for a short time. */
export interface ShortWaits {
  mayHold(milliseconds: number): boolean;
  /** Resolves after this time, or earlier when the run has to be checked. */
  hold(runId: string, milliseconds: number): Promise<void>;
}

export interface EngineDeps {
  store: Pick<RunStore, 'write' | 'loadSignals'>;
  findExecutor: FindExecutor;
  clock: Clock;
  random: () => number;
  /** Renders the response for an after-workflow caller from the current state. */
  renderAnswer(state: RunState, failed: boolean): RunAnswer;
  /** Called with errors that no task handles; they fail the task run with a message that reveals nothing of them. */
  onUnexpectedError(error: unknown, taskRun: TaskRun, runId: string): void;
  /** Aborted when the process shuts down: the run is left at its next safe point for another worker. */
  stopping: AbortSignal;
  /** Absent: the run is released at every wait. */
  shortWaits?: ShortWaits;
  /** Of a run of the draft. */
  draft?: DraftRunOptions | undefined;
}

// The interface of the engine's store; lib/engine/store implements it with PostgreSQL.

export interface RunAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** A response that was sent before its run ended. */
export type KeptAnswer = RunAnswer | { location: string };

/** A change of a run besides its task runs. */
export interface RunChange {
  status?: RunStatus;
  error?: RunError;
  /** Published when a run fails; not stored. */
  failure?: ObservedFailure;
  answer?: RunAnswer;
  /** Milliseconds since 1970; a job is enqueued for this time. */
  resumeAt?: number;
  finishedAt?: number;
  /** All waits for signals of the run; other recorded ones end. Left out: the run never had any. */
  waits?: readonly RunWait[];
}

export interface RunStore {
  /**
   * Takes runs that are due and not held by a living worker, each under a new epoch; the others are left out. One that nothing has
   * taken yet is taken by its first write (`TakenRun.readAt`).
   * @param areSignaled also takes runs that have received signals
   */
  take(runIds: readonly string[], areSignaled?: boolean): Promise<TakenRun[]>;
  /**
   * Whether another process took one of these runs and has not claimed it. If it dies, or lost the response and does not know
   * that it holds the run, only a job leads to the run.
   */
  areHeldUnclaimed(runIds: readonly string[]): Promise<boolean>;
  loadGraph(workflowId: string, version: number): Promise<CompiledGraph>;
  /** The bodies of the webhooks of the run's burst; undefined where it has none, or uses none. */
  loadWebhooks(run: TakenRun, graph: CompiledGraph): Promise<JsonValue[] | undefined>;
  /** Of a run of the draft; undefined for one of a published version. */
  loadDraftOptions(run: TakenRun): Promise<DraftRunOptions | undefined>;
  /** The task runs that a run continues from: of each loop only those of its open items. */
  loadTaskRuns(runId: string, graph: CompiledGraph): Promise<TaskRun[]>;
  /** Signals of a closed wait, in the order of their arrival. */
  loadSignals(waitId: string): Promise<JsonValue[]>;
  /**
   * Writes task runs and a change of their run, in one statement with those of other runs.
   * @returns false when another worker has taken the run: nothing was written
   */
  write(run: TakenRun, taskRuns: readonly TaskRun[], change: RunChange): Promise<boolean>;
}
