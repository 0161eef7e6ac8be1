// The called run's row is authoritative, the signal of its end only wakes the caller (docs/engine.md, "Calls").
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import { cancelRun } from '#lib/engine/store/cancel-run.ts';
import {
  type CalledRun,
  type CallStart,
  callKey,
  detachCall,
  lookAtCall,
  MAX_CALL_DEPTH,
  startCall,
} from '#lib/engine/store/start-call.ts';
import {
  RunLostError,
  type TaskContext,
  TaskError,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { MAX_WAIT_MS } from '#lib/tasks/durations.ts';
import { evaluateDuration, evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { executorOf } from '#lib/tasks/executor-of.ts';
import { findMarksOfBody } from '#lib/webhooks/find-line.ts';
import { renderRunError } from '#lib/webhooks/render-response.ts';
import { callWorkflow, type CallWorkflowSettings } from './definition.ts';
import { readResult } from './read-result.ts';

type Call = TaskContext<CallWorkflowSettings>;

/** @param load returns the dependencies; called at each execution. */
export function createCallWorkflowExecutor(load: () => Promise<Pick<ProcessRuntime, 'db'>>): TaskExecutor {
  return executorOf(callWorkflow, {
    hasSideEffect: () => true,
    async execute(context) {
      const { db } = await load();
      return context.resumed ? resume(context, context.resumed.memory, db) : begin(context, db);
    },
  });
}

/** What is remembered while it waits. */
interface Memory extends JsonObject {
  runId: string;
  /** Milliseconds since 1970. */
  untilMs: number;
}

async function begin(context: Call, db: Database): Promise<TaskResult> {
  const { settings, scope, now } = context;
  const limitMs =
    settings.wait_for_end === 'with_limit'
      ? evaluateDuration(settings.limit_amount, settings.limit_unit, scope)
      : MAX_WAIT_MS;
  const fields = settings.body_fields.map(
    ({ name, value }) => [name, evaluateSetting(value, scope) ?? null] as const,
  );
  const body = stringifyJson(Object.fromEntries(fields));
  // Its id becomes the called run's: from here on there is one, however often this is executed.
  await openWait(context);
  const runId = await start(context, db, body);
  if (settings.wait_for_end === 'no') {
    const output = { run_id: runId, status: 'queued', result: null };
    return { kind: 'done', output, runText: `Called. Run ${runId} continues on its own.` };
  }
  return proceed(context, db, { runId, untilMs: now.getTime() + limitMs });
}

async function openWait(context: Call): Promise<void> {
  context.listen({ key: callKey(context.runId), rule: 'all' });
  await context.recordWait();
}

interface Target {
  name: string;
  published_version: number | null;
  is_deleted: boolean;
  runs: boolean;
}

const TARGET = `
select name, published_version, deleted_at is not null as is_deleted, active or holds_runs as runs
from workflows where id = $1 and workspace_id = $2`;

/** @returns the id of the called run */
async function start(context: Call, db: Database, body: string): Promise<string> {
  const { settings, workspaceId, runId, taskId, iteration } = context;
  const workflowId = settings.called_workflow.trim();
  for (;;) {
    const version = await findVersionToCall(db, workflowId, workspaceId);
    const received = { headers: {}, receivedAt: context.now };
    const bytes = Buffer.from(body);
    const marks = await findMarksOfBody(db.$client, { workflowId, version }, () => bytes, received);
    const started = await startOrLeave(context, db, {
      workspaceId,
      caller: { runId, taskId, iteration },
      workflowId,
      version,
      line: marks.line ?? null,
      searchKey: marks.searchKey,
      body,
      isAwaited: settings.wait_for_end !== 'no',
    });
    if (started.kind === 'called') return started.runId;
    if (started.kind === 'too_deep') {
      const message = `Workflows may call each other ${MAX_CALL_DEPTH} levels deep. This call would be one more.`;
      throw new TaskError('call_too_deep', message);
    }
  }
}

/** Of a run that this worker has lost, the checkpoint says so to the engine; a task that is tried alone has no run. */
async function startOrLeave(
  context: Call,
  db: Database,
  call: Parameters<typeof startCall>[1],
): Promise<CallStart> {
  try {
    return await startCall(db.$client, call);
  } catch (error) {
    if (!(error instanceof RunLostError)) throw error;
    await context.recordWait();
    const message =
      'A task that is tested alone has no run that could call. Use “Run draft”: it runs the called workflow, too, and sends nothing.';
    throw new TaskError('call_without_run', message);
  }
}

async function findVersionToCall(db: Database, workflowId: string, workspaceId: string): Promise<number> {
  const { rows } = isId(workflowId)
    ? await db.$client.query<Target>({
        name: 'find_called_workflow',
        text: TARGET,
        values: [workflowId, workspaceId],
      })
    : { rows: [] };
  const [target] = rows;
  if (!target || target.is_deleted) {
    const message = 'The workflow that this task calls was deleted. Select another one.';
    throw new TaskError('called_workflow_missing', message);
  }
  if (target.published_version === null) {
    const message = `“${target.name}”, which this task calls, is not published.`;
    throw new TaskError('called_workflow_not_active', message);
  }
  if (!target.runs) {
    const message = `“${target.name}”, which this task calls, is paused.`;
    throw new TaskError('called_workflow_not_active', message);
  }
  return target.published_version;
}

async function resume(context: Call, memory: JsonValue, db: Database): Promise<TaskResult> {
  const known = memory as Memory;
  const called = await look(context, db, known.runId);
  if (!isOpenRun(called.status)) return finish(context, db, called);
  if (context.now.getTime() >= known.untilMs) return timeOut(context, db, called);
  // It had ended, and a member has retried it since.
  await openWait(context);
  return proceed(context, db, known);
}

/** Waits, unless the called run has ended. Its wait is on record. */
async function proceed(context: Call, db: Database, memory: Memory): Promise<TaskResult> {
  const called = await look(context, db, memory.runId);
  if (!isOpenRun(called.status)) return finish(context, db, called);
  const output = { run_id: called.id, status: called.status, result: null };
  const runText =
    context.settings.wait_for_end === 'with_limit'
      ? `Waiting for the end of the run of “${called.name}” until ${new Date(memory.untilMs).toISOString()}.`
      : `Waiting until the run of “${called.name}” ends.`;
  return {
    kind: 'listen',
    until: new Date(memory.untilMs),
    keepsCaller: true,
    memory,
    output,
    runText,
  };
}

async function look({ workspaceId }: Call, db: Database, runId: string): Promise<CalledRun> {
  const called = await lookAtCall(db.$client, { runId, workspaceId });
  if (!called) throw new TaskError('call_removed', `The called run ${runId} was removed.`);
  return called;
}

async function finish({ workspaceId, now }: Call, db: Database, called: CalledRun): Promise<TaskResult> {
  if (called.status === 'succeeded') {
    const result = await readResult(db.$client, { ...called, workspaceId, now });
    const output = { run_id: called.id, status: called.status, result };
    return { kind: 'done', output, runText: `The run of “${called.name}” succeeded.` };
  }
  if (called.status === 'cancelled') {
    const message = `The run of “${called.name}” was cancelled. Run: ${called.id}.`;
    throw withOutput(new TaskError('call_cancelled', message, { details: { run_id: called.id } }), called);
  }
  const message = `The run of “${called.name}” failed: ${called.error?.message ?? 'no reason is known.'} Run: ${called.id}.`;
  throw withOutput(new TaskError('call_failed', message, { details: { run_id: called.id } }), called);
}

async function timeOut(context: Call, db: Database, called: CalledRun): Promise<TaskResult> {
  const { settings, workspaceId } = context;
  const ref = { id: called.id, workspaceId };
  const isCancelled = settings.after_limit === 'cancel' && settings.wait_for_end === 'with_limit';
  if (isCancelled && !(await cancelUnlessOver(db, ref)))
    return finish(context, db, await look(context, db, called.id));
  if (!isCancelled) await detachCall(db.$client, called.id);
  const message = `Timed out: the run of “${called.name}” did not end within the limit. It ${isCancelled ? 'was cancelled' : 'continues'}. Run: ${called.id}.`;
  throw withOutput(new TaskError('call_timed_out', message, { details: { run_id: called.id } }), called);
}

/** @returns false where it ended before */
async function cancelUnlessOver(db: Database, ref: { id: string; workspaceId: string }): Promise<boolean> {
  const answer = renderRunError(new AppError('workflow_failed', 'The workflow was cancelled.'), ref.id);
  try {
    await db.transaction((tx) => cancelRun(tx, ref, answer));
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'conflict') return false;
    throw error;
  }
}

function withOutput(error: TaskError, { id, status }: CalledRun): TaskError {
  error.output = { run_id: id, status, result: null };
  return error;
}
