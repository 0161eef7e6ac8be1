import type { MessageView, RunView, TaskRunRow } from '#lib/screens/run-types.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { findFixPlace } from './fix-place.ts';
import { executedVersion } from '#lib/engine/draft-run.ts';
import { HOLD_KEYS, QUIET_KEYS } from '#lib/messaging/consent/hold-waits.ts';
import { type Listener, listListeners } from '#lib/engine/store/deliver-signals.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import {
  explainStatusError,
  explainUndelivered,
  type KnownMessage,
  listMessagesOfRun,
} from '#lib/messaging/sending/find-message.ts';
import { MESSAGE_STATUSES } from '#lib/messaging/schema/message-statuses.ts';
import { CALL_KEYS } from '#lib/engine/store/start-call.ts';
import { findRun, getRun } from '#lib/runs/get-run.ts';
import { listWaits } from '#lib/runs/list-waits.ts';
import type { Run, TaskRunView } from '#lib/runs/schema.ts';
import { talks } from '#lib/screens/read-conversations.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findExit } from '#lib/tasks/exits.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { toRunRow } from '#lib/screens/read-runs.ts';
import { runMask } from '#lib/screens/run-mask.ts';

/** Replaces the run text of a task that only captured its effect. */
const NOT_SENT = 'Not sent (test run)';

/** A run for its screen, without the tasks' outputs. @throws AppError `not_found` */
export async function readRun(ctx: MemberContext, id: string, tasksOffset = 0): Promise<RunView> {
  const run = await getRun(ctx, { id, tasks_offset: tasksOffset });
  const isWaiting = run.status === 'waiting';
  const [graph, messages, waits, listeners] = await Promise.all([
    loadGraph(
      ctx.db.$client,
      run.workflow_id,
      executedVersion({ ...run, draftRevision: run.draft_revision }),
    ),
    listMessagesOfRun(ctx, id),
    listWaits(ctx, isWaiting ? [id] : []),
    isWaiting ? listListeners(ctx.db.$client, id, [HOLD_KEYS, QUIET_KEYS, CALL_KEYS]) : [],
  ]);
  const clean = runMask(ctx);
  const caller = await findCaller(ctx, run);
  return {
    run: { ...toHead(run, waits.get(id), clean), callerName: caller },
    tasks: run.tasks.map((task) => toTaskRow(task, graph, clean)),
    nextOffset: run.tasks_next_offset,
    messages: messages.map((message) => toMessageView(message, clean)),
    burstEventIds: run.burst_event_ids,
    calls: await toCalls(ctx, run.calls),
    rivals: await toRivals(ctx, id, listeners),
    getsAnswer: listeners.some(({ runId, receives }) => runId === id && receives),
    talks: talks(graph),
    now: new Date().toISOString(),
  };
}

/** The name of the workflow of the run that called one; null where there is none any more. */
async function findCaller(ctx: MemberContext, { called_by: calledBy }: Run): Promise<string | null> {
  if (!calledBy) return null;
  const caller = await findRun(ctx, calledBy.run_id);
  if (!caller) return null;
  return (await findWorkflowNames(ctx, [caller.workflow_id])).get(caller.workflow_id)?.name ?? null;
}

async function toCalls(ctx: MemberContext, calls: Run['calls']): Promise<RunView['calls']> {
  const names = await findWorkflowNames(
    ctx,
    calls.map((call) => call.workflow_id),
  );
  return calls.map((call) => ({
    taskId: call.task_id,
    iteration: call.iteration,
    runId: call.run_id,
    workflowId: call.workflow_id,
    workflowName: names.get(call.workflow_id)?.name ?? 'Deleted workflow',
    status: call.status,
  }));
}

async function toRivals(
  ctx: MemberContext,
  id: string,
  listeners: readonly Listener[],
): Promise<RunView['rivals']> {
  const others = listeners.filter(({ runId }) => runId !== id);
  const names = await findWorkflowNames(
    ctx,
    others.map(({ workflowId }) => workflowId),
  );
  return others.map(({ runId, workflowId, receives: getsAnswer }) => ({
    runId,
    name: names.get(workflowId)?.name ?? 'Deleted workflow',
    getsAnswer,
  }));
}

type Clean = (text: string) => string;

const toHead = (run: Run, wait: string | undefined, clean: Clean): Omit<RunView['run'], 'callerName'> => ({
  ...toRunRow(run, wait, clean),
  eventId: run.event_id,
  error: run.error && {
    code: run.error.code,
    message: clean(run.error.message),
    ...(run.error.task_id === undefined ? {} : { task_id: run.error.task_id }),
  },
  fixPlace: run.status === 'failed' ? findFixPlace(run.error) : null,
  retryOf: run.retry_of,
  awaited: run.awaited,
  contentsRemovedAt: run.contents_removed_at,
});

const itemNameOf = (task: WorkflowTask | undefined): string | null =>
  (task && findTaskKind(task.type)?.itemName?.(task.settings)) ?? null;

const toTaskRow = (task: TaskRunView, graph: CompiledGraph, clean: Clean): TaskRunRow => ({
  taskId: task.task_id,
  name: task.name ?? `Task ${task.task_id}`,
  type: task.type,
  isTrigger: task.task_id === graph.triggerId,
  iteration: task.iteration,
  loops: graph.nodes.get(task.task_id)?.loops ?? [],
  itemName: itemNameOf(graph.nodes.get(task.task_id)?.task),
  status: task.status,
  branch: task.branch && findExit(graph.nodes.get(task.task_id)?.task, task.branch).label,
  runText: task.captured.length > 0 ? NOT_SENT : task.run_text && clean(task.run_text),
  captured: task.captured.map((each) => clean(JSON.stringify(each))),
  attempt: task.attempt,
  earlier: task.attempts.map(({ started_at, finished_at }) => ({
    startedAt: started_at,
    finishedAt: finished_at,
  })),
  startedAt: task.started_at,
  finishedAt: task.finished_at,
  resumeAt: task.resume_at,
});

/** Not by time: the platform's timestamps are whole seconds, and ours are not. */
export const inTheirOrder = (timeline: KnownMessage['timeline']): KnownMessage['timeline'] =>
  timeline.toSorted((a, b) => MESSAGE_STATUSES.indexOf(a.status) - MESSAGE_STATUSES.indexOf(b.status));

const toMessageView = (message: KnownMessage, clean: Clean): MessageView => ({
  messageId: message.messageId,
  taskId: message.taskId,
  iteration: message.iteration ?? '',
  kind: message.kind,
  templateName: message.templateName,
  recipient: clean(message.recipient),
  status: message.withheld ?? message.status,
  problem: message.status === 'failed' ? clean(explainUndelivered(message.errors)) : null,
  steps: inTheirOrder(message.timeline).map(({ status, withheld, at, errors }) => ({
    status: withheld ?? status,
    at,
    problem: errors?.map((error) => clean(explainStatusError(error))).join(' ') ?? null,
  })),
});
