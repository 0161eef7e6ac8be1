// What the engine asks of its store; lib/engine/store keeps it in PostgreSQL.
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

/** What is written of a run besides its task runs. */
export interface RunChange {
  status?: RunStatus;
  error?: RunError;
  /** What is told of a run that failed; it is not stored. */
  failure?: ToldFailure;
  answer?: RunAnswer;
  /** Milliseconds since 1970; a job is enqueued for then. */
  resumeAt?: number;
  finishedAt?: number;
  /** All waits for signals that the run has; others on record end. Left out: the run never had any. */
  waits?: readonly RunWait[];
}

export interface RunStore {
  /**
   * Takes runs that are due and not held by a living worker, under a new epoch each; the others are left out.
   * @param areSignaled a run is also due that waits for what has come
   */
  take(runIds: readonly string[], areSignaled?: boolean): Promise<TakenRun[]>;
  /**
   * Whether another process took one of these runs and has not claimed it. Should it die, or not know that it holds it
   * because the answer got lost, only a job leads to the run.
   */
  areHeldUnclaimed(runIds: readonly string[]): Promise<boolean>;
  loadGraph(workflowId: string, version: number): Promise<CompiledGraph>;
  /** Of a run of the draft; undefined for one of a published version. */
  loadDraftOptions(run: TakenRun): Promise<DraftRunOptions | undefined>;
  /** The task runs that a run continues from: of each loop only those of the item under way. */
  loadTaskRuns(runId: string, graph: CompiledGraph): Promise<TaskRun[]>;
  /** What came for a wait that is closed, in the order in which it came. */
  loadSignals(waitId: string): Promise<JsonValue[]>;
  /**
   * Writes task runs and a change of their run in one statement with those of other runs.
   * @returns false when the run's epoch is not ours any more: nothing was written.
   */
  write(run: TakenRun, taskRuns: readonly TaskRun[], change: RunChange): Promise<boolean>;
}
