// The interface of the engine's store; lib/engine/store implements it with PostgreSQL.
import type { JsonValue } from '#lib/core/json/value.ts';
import type { ToldFailure } from '#lib/core/telemetry.ts';
import type { CompiledGraph } from './graph.ts';
import type { DraftRunOptions } from './draft-run.ts';
import type { RunError, RunStatus, RunWait, TaskRun } from './run-types.ts';
import type { TakenRun } from './run-state.ts';

export interface RunAnswer {
  status: number;
  contentType: string;
  body: string;
}

/** A change of a run besides its task runs. */
export interface RunChange {
  status?: RunStatus;
  error?: RunError;
  /** Published when a run fails; not stored. */
  failure?: ToldFailure;
  answer?: RunAnswer;
  /** Milliseconds since 1970; a job is enqueued for this time. */
  resumeAt?: number;
  finishedAt?: number;
  /** All waits for signals of the run; other recorded ones end. Left out: the run never had any. */
  waits?: readonly RunWait[];
}

export interface RunStore {
  /**
   * Takes runs that are due and not held by a living worker, each under a new epoch; the others are left out.
   * @param areSignaled also takes runs that have received signals
   */
  take(runIds: readonly string[], areSignaled?: boolean): Promise<TakenRun[]>;
  /**
   * Whether another process took one of these runs and has not claimed it. If it dies, or lost the response and does not know
   * that it holds the run, only a job leads to the run.
   */
  areHeldUnclaimed(runIds: readonly string[]): Promise<boolean>;
  loadGraph(workflowId: string, version: number): Promise<CompiledGraph>;
  /** Of a run of the draft; undefined for one of a published version. */
  loadDraftOptions(run: TakenRun): Promise<DraftRunOptions | undefined>;
  /** The task runs that a run continues from: of each loop only those of the current item. */
  loadTaskRuns(runId: string, graph: CompiledGraph): Promise<TaskRun[]>;
  /** Signals of a closed wait, in the order of their arrival. */
  loadSignals(waitId: string): Promise<JsonValue[]>;
  /**
   * Writes task runs and a change of their run, in one statement with those of other runs.
   * @returns false when another worker has taken the run: nothing was written
   */
  write(run: TakenRun, taskRuns: readonly TaskRun[], change: RunChange): Promise<boolean>;
}
