import { systemClock } from '#lib/core/clock.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { advanceRun } from '#lib/engine/run.ts';
import { RunState } from '#lib/engine/run-state.ts';
import type { TaskRun } from '#lib/engine/run-types.ts';
import { type FindExecutor, TaskError, type TaskExecutor } from '#lib/engine/task-executor.ts';
import type { PhoneMessage } from '#lib/screens/lists/send-list-types.ts';
import { findExecutor as findOwnExecutor } from '#lib/tasks/executors.ts';
import { instantTasks } from '#lib/tasks/instant-tasks.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';

interface PreviewOptions {
  workspaceId: string;
  workflowId: string;
  version: number;
  graph: CompiledGraph;
  /** The body that the trigger would receive. */
  body: JsonObject;
  findExecutor?: FindExecutor;
}

const UNTOLD = 'not_previewed';
/** Ends the run in memory before a task whose result only a real run knows. */
const endsHere: TaskExecutor = {
  execute: () => {
    throw new TaskError(UNTOLD, 'Known when it runs.');
  },
};

/**
 * The messages that a run would send for a body, in order, up to the first task that waits or asks another service. The run is
 * executed in memory like one of the draft: nothing is sent or stored.
 */
export async function previewMessages(options: PreviewOptions): Promise<PhoneMessage[]> {
  const { workspaceId, workflowId, version, graph, body, findExecutor = findOwnExecutor } = options;
  const run = {
    id: newId(),
    epoch: 1,
    workspaceId,
    workflowId,
    version,
    awaitsAnswer: false,
    event: { id: newId(), isReplay: false, body, headers: {} },
  };
  const written = new Map<string, TaskRun>();
  const previewed = new Set(
    [...graph.nodes.values()].flatMap(({ task }) =>
      instantTasks.isInstant(task) || findTaskKind(task.type)?.recipientOf?.(task.settings) !== undefined
        ? [task.type]
        : [],
    ),
  );
  await advanceRun(new RunState(run, graph, []), {
    store: {
      write: (_run, taskRuns) => {
        for (const taskRun of taskRuns) written.set(`${taskRun.taskId} ${taskRun.iteration}`, taskRun);
        return Promise.resolve(true);
      },
      loadSignals: () => Promise.resolve([]),
    },
    findExecutor: (type) => (previewed.has(type) ? findExecutor(type) : endsHere),
    clock: systemClock,
    random: () => 0,
    renderAnswer: () => {
      throw new Error('Nobody waits for an answer of a preview.');
    },
    onUnexpectedError: (error) => {
      throw error;
    },
    stopping: new AbortController().signal,
    draft: { sendTo: null, callsServices: false, refusals: {}, pins: {} },
  });
  return [...written.values()].flatMap((taskRun) => toMessages(graph, taskRun));
}

function toMessages(graph: CompiledGraph, { taskId, captured, error }: TaskRun): PhoneMessage[] {
  const taskName = graph.nodes.get(taskId)?.task.name ?? '';
  const messages = (captured ?? []).map((shown) => ({
    taskId,
    taskName,
    captured: stringifyJson(shown),
    problem: null,
  }));
  return error === undefined || error.code === UNTOLD
    ? messages
    : [...messages, { taskId, taskName, captured: null, problem: error.message }];
}
