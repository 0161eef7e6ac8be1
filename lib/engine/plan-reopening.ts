// Which results are deleted so that an ended run resumes where it failed. Pure: store/reopen-run.ts writes it.
import type { CompiledGraph } from './graph.ts';
import { stopsScope } from './plan.ts';
import type { RunError, SavedLoop, TaskRunStatus } from './run-types.ts';

/** A task run that has not succeeded and was not skipped. */
export interface OpenTaskRun {
  taskId: number;
  iteration: string;
  status: TaskRunStatus;
  error: RunError | null;
  loop: SavedLoop | undefined;
}

export interface Reopening {
  /** They are executed again. */
  forget: OpenTaskRun[];
  /** Loops that continue at their open items, with their former state. */
  resume: (OpenTaskRun & { loop: SavedLoop })[];
}

/**
 * Finds what stopped a run, and what was cancelled because of that. Failures that did not stop the run (`on_failure`, or a
 * loop that continues without failed items) stay: their successors have already run.
 * @param forgets whether a task run that failed for good is executed again
 */
export function planReopening(
  graph: CompiledGraph,
  taskRuns: readonly OpenTaskRun[],
  forgets: (taskRun: OpenTaskRun) => boolean,
): Reopening {
  const byKey = new Map(taskRuns.map((taskRun) => [keyOf(taskRun.taskId, taskRun.iteration), taskRun]));
  const reopening: Reopening = { forget: [], resume: [] };
  for (const taskRun of taskRuns) {
    if (!isLive(graph, byKey, taskRun)) continue;
    if (continues(graph, taskRun)) {
      if (taskRun.status !== 'running')
        reopening.resume.push({ ...taskRun, loop: stateToResume(taskRun, taskRun.loop) });
    } else if (taskRun.status === 'cancelled' || (stops(graph, taskRun) && forgets(taskRun))) {
      reopening.forget.push(taskRun);
    }
  }
  return reopening;
}

/** See `stopsScope`. */
export const stops = (graph: CompiledGraph, taskRun: Pick<OpenTaskRun, 'taskId' | 'status'>): boolean =>
  stopsScope(graph.nodes.get(taskRun.taskId), taskRun);

/** Whether its item is still open in all loops around a task run, so that the engine will plan it again. */
export function isLive(
  graph: CompiledGraph,
  byKey: ReadonlyMap<string, OpenTaskRun>,
  { taskId, iteration }: Pick<OpenTaskRun, 'taskId' | 'iteration'>,
): boolean {
  const indexes = iteration === '' ? [] : iteration.split('.');
  const loops = graph.nodes.get(taskId)?.loops ?? [];
  return loops.every((loopId, depth) => {
    const loop = byKey.get(keyOf(loopId, indexes.slice(0, depth).join('.')));
    return loop !== undefined && continues(graph, loop) && loop.loop.open.includes(Number(indexes[depth]));
  });
}

export const keyOf = (taskId: number, iteration: string): string => `${taskId}@${iteration}`;

type Loop = OpenTaskRun & { loop: SavedLoop };

function continues(graph: CompiledGraph, taskRun: OpenTaskRun): taskRun is Loop {
  if (!taskRun.loop) return false;
  const { status } = taskRun;
  return (
    status === 'running' || status === 'cancelled' || (isStoppedByItem(taskRun) && stops(graph, taskRun))
  );
}

const isStoppedByItem = ({ status, error }: OpenTaskRun): boolean =>
  status === 'failed' && error?.code === 'item_failed';

/** The failed item was counted as failed; it is retried now. */
const stateToResume = (taskRun: OpenTaskRun, loop: SavedLoop): SavedLoop =>
  isStoppedByItem(taskRun) ? { ...loop, failedCount: loop.failedCount - 1 } : loop;
