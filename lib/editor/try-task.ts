import { toDocument } from '#lib/editor/canvas/document.ts';
import { type Sample, sampleValues, type TryResult } from './canvas/sample-scope.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import {
  changeOutside,
  TaskError,
  type FindExecutor,
  type TaskContext,
  type TaskExecutor,
  type TaskResult,
} from '#lib/engine/task-executor.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { loadSecretsOf } from '#lib/secrets/stored-secrets.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import { createRedactor, type Redactor, revealJsonText } from '#lib/secrets/redact.ts';
import { checkSettings, loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { findExecutor as findOwnExecutor } from '#lib/tasks/executors.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { Context } from '#lib/identity/context.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { loadSample } from '#lib/editor/load-sample.ts';
import { loadWorkflow } from '#lib/workflows/load-workflow.ts';

export interface TryTaskInput {
  id: string;
  task_id: number;
  /** The event whose variables it sees. */
  event_id?: string | undefined;
  /** JSON by task id: outputs of other tasks that were tried. */
  tried: Readonly<Record<string, string>>;
  /** Confirms side effects. */
  confirmed: boolean;
}

/**
 * Executes one task of the draft alone, with a sample event; no run is started and nothing is stored here.
 * @throws AppError `not_found`; `invalid_request` when its settings have problems, each by its path
 */
export async function tryTask(
  ctx: Context,
  input: TryTaskInput,
  findExecutor: FindExecutor = findOwnExecutor,
): Promise<TryResult> {
  const workflow = await loadWorkflow(ctx, input.id);
  const task = workflow.tasks.find((each) => each.id === input.task_id);
  const executor = task && findExecutor(task.type);
  if (!task || !executor) throw new AppError('not_found', 'This task does not exist or cannot be tested.');
  const settings = await completeSettings(task);
  if (executor.hasSideEffect?.(settings) && !input.confirmed)
    return {
      kind: 'asks',
      question: 'This sends real requests and messages, with the values of the sample.',
    };
  const sample = await findSample(ctx, input);
  const { zone } = await getWorkspaceTime(ctx);
  const secrets = await loadSecretsOf(ctx, workflow);
  const tried = Object.fromEntries(
    Object.entries(input.tried).map(([id, text]) => [Number(id), revealJsonText(text, secrets)]),
  );
  const { scope } = sampleValues(toDocument(workflow), task.id, sample, { triedOutputs: tried, zone });
  // A service may repeat the secrets of its request; later tries use its response.
  const redactor = createRedactor(secrets, 'placeholder');
  return execute(executor, redactor, {
    settings,
    scope,
    workspaceId: ctx.workspaceId,
    workflowId: input.id,
    runId: newId(),
    taskId: task.id,
    iteration: '',
    attempt: 1,
    now: new Date(),
    changeOutside,
    recordSideEffect: () => Promise.resolve(),
    withdrawSideEffect: () => Promise.resolve(),
    listen: () => undefined,
    hasExit: () => false,
    recordWait: () => Promise.resolve(),
  });
}

async function completeSettings(
  task: Pick<WorkflowTask, 'type' | 'settings'>,
): Promise<Record<string, unknown>> {
  const definition = findTaskDefinition(task.type);
  if (!definition) throw new AppError('not_found', 'This task type does not exist.');
  const { settings, problems } = checkSettings(
    definition,
    task.settings,
    'publish',
    await loadFurtherChecks([task]),
  );
  if (settings && problems.length === 0) return settings;
  throw new AppError('invalid_request', problems[0]?.message ?? 'The settings have problems.', { problems });
}

/** Unmasked: the editor only displays masked headers and outputs. */
async function findSample(ctx: Context, { id, event_id }: TryTaskInput): Promise<Sample | undefined> {
  if (event_id === undefined) return undefined;
  const sample = await loadSample(ctx, { workflowId: id, eventId: event_id, asRecorded: true });
  const { rows } = await ctx.db.$client.query<{ headers: Record<string, string> }>(
    'select headers from events where id = $1 and workspace_id = $2',
    [event_id, ctx.workspaceId],
  );
  return { ...sample, headers: rows[0]?.headers ?? sample.headers };
}

async function execute(executor: TaskExecutor, redactor: Redactor, context: TaskContext): Promise<TryResult> {
  try {
    return succeeded(await executor.execute(context), redactor);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const { code, message, details } = error;
    const detailsText = details === undefined ? undefined : stringifyJson(details);
    return { kind: 'failed', code, message, detailsText };
  }
}

function succeeded(result: TaskResult, { json, text }: Redactor): TryResult {
  if (result.kind === 'loop') {
    const output: JsonValue = { count: result.count, failed_count: 0 };
    const runText = `Would go through ${result.count} ${result.count === 1 ? 'item' : 'items'}.`;
    return { kind: 'succeeded', runText, branch: undefined, outputText: stringifyJson(output) };
  }
  const runText =
    result.kind === 'wait' || result.kind === 'listen'
      ? `${result.runText} (until ${result.until.toISOString()})`
      : result.runText;
  const branch = result.kind === 'done' ? result.branch : undefined;
  return {
    kind: 'succeeded',
    runText: withoutSecretIds(text(runText)),
    branch,
    outputText: stringifyJson(json(result.output)),
  };
}
