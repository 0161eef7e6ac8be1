import type { CompiledGraph } from '#lib/engine/graph.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { listTaskRunsToRepeat } from '#lib/engine/store/reopen-run.ts';
import { listMessagesOfRun } from '#lib/messaging/sending/find-message.ts';
import { listTaskRuns } from '#lib/runs/list-task-runs.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import type { Context } from '#lib/identity/context.ts';

/** What a retry would repeat. */
export interface RetryPlan {
  tasks: {
    taskId: number;
    name: string;
    /** Number of repetitions, one per iteration. */
    times: number;
    why: 'failed' | 'outcome_unknown' | 'succeeded' | 'cancelled';
    recipients: string[];
  }[];
}

const MAX_RECIPIENTS = 5;

/** Which tasks with side effects would be executed again. @throws AppError `not_found` */
export async function planRetry(
  ctx: Context,
  { id, from }: { id: string; from: 'failed_task' | 'start' },
): Promise<RetryPlan> {
  const run = await loadRun(ctx, id);
  const graph = await loadGraph(ctx.db.$client, run.workflow_id, run.version);
  const repeated =
    from === 'start' ? await listTaskRuns(ctx, id) : await listTaskRunsToRepeat(ctx.db, id, graph);
  const messages = await listMessagesOfRun(ctx, id);
  const tasks = new Map<string, RetryPlan['tasks'][number]>();
  for (const { taskId, iteration, status } of repeated) {
    const why = reasonOf(status);
    if (!why || !changesSomething(graph, taskId)) continue;
    const key = `${taskId}:${why}`;
    const task = tasks.get(key) ?? { taskId, name: nameOf(graph, taskId), times: 0, why, recipients: [] };
    tasks.set(key, task);
    task.times += 1;
    for (const message of messages) {
      const isOfTask = message.taskId === taskId && (message.iteration ?? '') === iteration;
      if (isOfTask && task.recipients.length < MAX_RECIPIENTS) task.recipients.push(message.recipient);
    }
  }
  return { tasks: [...tasks.values()] };
}

function reasonOf(status: TaskRunStatus): RetryPlan['tasks'][number]['why'] | null {
  if (status === 'succeeded' || status === 'failed' || status === 'outcome_unknown' || status === 'cancelled')
    return status;
  return null;
}

const nameOf = (graph: CompiledGraph, taskId: number): string =>
  graph.nodes.get(taskId)?.task.name ?? `Task ${taskId}`;

function changesSomething(graph: CompiledGraph, taskId: number): boolean {
  const task = graph.nodes.get(taskId)?.task;
  return task !== undefined && findExecutor(task.type)?.hasSideEffect?.(task.settings) === true;
}
