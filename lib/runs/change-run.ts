import { AppError } from '#lib/core/errors.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import { cancelRun as cancel } from '#lib/engine/store/cancel-run.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { loadGraphOfRun } from '#lib/engine/store/lock-run.ts';
import { listTaskRunsToRepeat, resolveTaskRun as resolve, resumeRun } from '#lib/engine/store/reopen-run.ts';
import { startAgain } from '#lib/engine/store/start-again.ts';
import { assertBodyIsStored, assertWorkflowRuns, changedMeanwhile } from '#lib/events/replay-event.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { listMessagesOfRun } from '#lib/messaging/sending/find-message.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { findLineOfEvent } from '#lib/webhooks/find-line.ts';
import { renderRunError } from '#lib/webhooks/render-response.ts';
import { getRun, listTaskRuns, loadRun } from './get-run.ts';
import type { ResolveTaskRunInput, RetryRunInput, Run } from './schema.ts';

/**
 * Ends a run, with those that it called and waits for, and answers its waiting caller. A cancelled run is returned unchanged.
 * @throws AppError `not_found`; `conflict` when it has ended
 */
export async function cancelRun(ctx: ActorContext, { id }: { id: string }): Promise<Run> {
  const { workspaceId } = ctx;
  const answer = renderRunError(new AppError('workflow_failed', 'The workflow was cancelled.'), id);
  const cancelled = await ctx.db.transaction(async (tx) => {
    const ids = await cancel(tx, { id, workspaceId }, answer);
    for (const each of ids) await recordAudit(ctx, tx, 'run.cancelled', { id: each });
    return ids;
  });
  cancelled.forEach(() => telemetry.run.tell({ status: 'cancelled' }));
  return getRun(ctx, { id });
}

/**
 * Records the outcome of a side effect that was unknown: it is done, or has to be executed again. Where it stopped the run,
 * the run resumes (docs/engine.md).
 * @throws AppError `not_found`; `conflict` when there is nothing to resolve, or the run continued without it
 */
export async function resolveTaskRun(
  ctx: ActorContext,
  { id, task_id: taskId, iteration, as }: ResolveTaskRunInput & { id: string; task_id: number },
): Promise<Run> {
  const ref = { id, workspaceId: ctx.workspaceId };
  const graph = await loadGraphOfRun(ctx.db, ref);
  await ctx.db.transaction(async (tx) => {
    await resolve(tx, ref, graph, { taskId, iteration: iteration.join('.'), as });
    await recordAudit(ctx, tx, as === 'done' ? 'run.marked_done' : 'run.resent', { id });
  });
  return getRun(ctx, { id });
}

/**
 * Resumes a failed or cancelled run from the task that stopped it, or starts a new run for its event. A task with an unknown
 * outcome is executed again; `resolveTaskRun` can mark it as done instead.
 * @throws AppError `not_found`; `conflict` for a run that cannot be retried; `workflow_not_active` from the start
 */
export async function retryRun(
  ctx: ActorContext,
  { id, from }: RetryRunInput & { id: string },
): Promise<Run> {
  return getRun(ctx, { id: from === 'start' ? await restart(ctx, id) : await resume(ctx, id) });
}

async function resume(ctx: ActorContext, id: string): Promise<string> {
  const ref = { id, workspaceId: ctx.workspaceId };
  const graph = await loadGraphOfRun(ctx.db, ref);
  await ctx.db.transaction(async (tx) => {
    await resumeRun(tx, ref, graph);
    await recordAudit(ctx, tx, 'run.retried', { id });
  });
  return id;
}

async function restart(ctx: ActorContext, id: string): Promise<string> {
  const run = await loadRun(ctx, id);
  const of = { workflowId: run.workflow_id, eventId: run.event_id };
  const executes = await findLineOfEvent(ctx.db.$client, of);
  const newRun = await ctx.db.transaction(async (tx) => {
    const started = await startAgain(tx, { id, workspaceId: ctx.workspaceId, executes });
    if (started !== undefined) await recordAudit(ctx, tx, 'run.retried', { id });
    return started;
  });
  if (newRun !== undefined) return newRun;
  if (draftRevisionOf(run.version) !== null)
    throw new AppError('conflict', 'This was a run of the draft. Run the draft again in the editor.');
  await assertWorkflowRuns(ctx, run.workflow_id);
  await assertBodyIsStored(ctx, run.event_id);
  if (!isOpenRun(run.status)) throw changedMeanwhile();
  throw new AppError('conflict', `The run is ${run.status}: cancel it before you start it again.`);
}

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
