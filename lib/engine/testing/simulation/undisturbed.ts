// How a run ends without faults: in memory, without interruption, under a jumping clock.
import { compileGraph } from '#lib/engine/graph.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import { type AdvanceOutcome, advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import type { TaskRun } from '#lib/engine/run-types.ts';
import { taskRunKey } from './tables.ts';
import { createExecutors, Platform } from './tasks.ts';

export interface Outcome {
  status: AdvanceOutcome;
  /** Statuses by task and iteration. */
  taskRuns: Map<string, string>;
}

/** Advances a run of the graph until it is over. */
export async function playUndisturbed(graph: WorkflowGraph): Promise<Outcome> {
  const taskRuns = new Map<string, string>();
  let nowMs = Date.UTC(2026, 0, 1);
  const run = { id: 'run', epoch: 1, workspaceId: '', workflowId: '', version: 1, awaitsAnswer: false };
  const state = new RunState(
    { ...run, event: { id: 'event', isReplay: false, body: {}, headers: {} } },
    compileGraph(graph),
    [],
  );
  const findExecutor = createExecutors(new Platform(), false);
  for (;;) {
    const status = await advanceRun(state, {
      store: {
        async write(_run, changed: readonly TaskRun[], { resumeAt }) {
          for (const each of changed) taskRuns.set(taskRunKey(each.taskId, each.iteration), each.status);
          nowMs = resumeAt ?? nowMs;
          return true;
        },
        loadSignals: async () => [],
      },
      findExecutor,
      clock: { now: () => new Date(nowMs) },
      random: () => 0.5,
      renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
      onUnexpectedError: (error) => {
        throw error;
      },
      stopping: new AbortController().signal,
    });
    if (status !== 'waiting') return { status, taskRuns };
  }
}
