// What the engine needs from the process that advances runs.
import type { Clock } from '#lib/core/clock.ts';
import type { DraftRunOptions } from './draft-run.ts';
import type { RunState } from './run-state.ts';
import type { TaskRun } from './run-types.ts';
import type { RunAnswer, RunStore } from './store-types.ts';
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
