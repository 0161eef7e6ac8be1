// What the engine needs of the process that advances runs.
import type { Clock } from '#lib/core/clock.ts';
import type { DraftRunOptions } from './draft-run.ts';
import type { RunState } from './run-state.ts';
import type { TaskRun } from './run-types.ts';
import type { RunAnswer, RunStore } from './store-types.ts';
import type { FindExecutor } from './task-executor.ts';

/** Keeps runs in memory that wait for a short time. */
export interface ShortWaits {
  mayHold(milliseconds: number): boolean;
  /** Resolves when the time is over, or earlier when the run is to be looked at. */
  hold(runId: string, milliseconds: number): Promise<void>;
}

export interface EngineDeps {
  store: Pick<RunStore, 'write' | 'loadSignals'>;
  findExecutor: FindExecutor;
  clock: Clock;
  random: () => number;
  /** Renders what an after-workflow caller is told, from what is known by then. */
  renderAnswer(state: RunState, failed: boolean): RunAnswer;
  /** Told of errors that no task foresaw; they fail the task run with a text that shows nothing of them. */
  onUnexpectedError(error: unknown, taskRun: TaskRun, runId: string): void;
  /** Aborted when the process is to stop: the run is left at its next safe point for another worker. */
  stopping: AbortSignal;
  /** Absent: the run is let go of at every wait. */
  shortWaits?: ShortWaits;
  /** Of a run of the draft. */
  draft?: DraftRunOptions | undefined;
}
