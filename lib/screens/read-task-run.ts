import { loadWebhooks } from '#lib/engine/store/bursts.ts';
import type { z } from 'zod';
import type { SettingView, TaskRunDetail, CallerResponse } from '#lib/screens/run-types.ts';
import type { Context } from '#lib/identity/context.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findFixPlace } from './fix-place.ts';
import { runMask } from '#lib/screens/run-mask.ts';
import { findConnectionName } from '#lib/screens/list-picker-options.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { loadTaskRunsAround } from '#lib/engine/store/load.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import { AppError } from '#lib/core/errors.ts';
import { getEvent } from '#lib/events/read-events.ts';
import { isId } from '#lib/core/ids.ts';
import { type JsonValue, isJsonObject, type JsonObject } from '#lib/core/json/value.ts';
import { loadRun } from '#lib/runs/get-run.ts';
import { loadRedactor } from '#lib/secrets/stored-secrets.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { listConnectionIds } from '#lib/tasks/picks.ts';
import { listSecretNames, withSecretNames } from '#lib/tasks/named-secrets.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { scopeInZone } from '#lib/tasks/with-customer-zone.ts';
import { maskSetting } from '#lib/tasks/setting-secrets.ts';
import type { FieldMeta } from '#lib/tasks/task-definition.ts';
import type { VariableScope } from '#lib/variables/scope.ts';
import type { CompiledGraph, GraphNode } from '#lib/engine/graph.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';
import { findWorkflowNames } from '#lib/workflows/workflow-names.ts';
import { listFirstWaits } from '#lib/workflows/graph-paths.ts';
import type { Event } from '#lib/events/schema.ts';
import type { RunRow } from '#lib/runs/run-rows.ts';
import { prepareResponse, renderRunning } from '#lib/webhooks/render-response.ts';
import { triggerOf } from '#lib/webhooks/trigger-settings.ts';

const MAX_SHOWN_CHARACTERS = 400_000;

export interface TaskRunRef {
  id: string;
  taskId: number;
  iteration: string;
  /** How long a caller waits for a run; left out: unknown. */
  answerLimitMs?: number;
}

/** The input and the result of one task run. @throws AppError `not_found` */
export async function readTaskRun(
  ctx: Context & Parameters<typeof runMask>[0],
  { id, taskId, iteration, answerLimitMs }: TaskRunRef,
): Promise<TaskRunDetail> {
  const run = await loadRun(ctx, id);
  const [graph, event, { zone }] = await Promise.all([
    loadGraph(ctx.db.$client, run.workflow_id, run.version),
    getEvent(ctx, { id: run.event_id }),
    getWorkspaceTime(ctx),
  ]);
  const taskRuns = await loadTaskRunsAround(ctx.db.$client, id, graph, iteration);
  const body = event.body as JsonValue;
  const webhooks = await loadWebhooks(ctx.db.$client, event.id, graph);
  const state = new RunState(toRecordedRun(run, event, { ...ctx, zone, webhooks }), graph, taskRuns);
  const taskRun = state.find(taskId, iteration);
  if (!taskRun) throw new AppError('not_found', 'The run has not executed this task in this iteration.');
  const node = graph.nodes.get(taskId);
  const mask = runMask(ctx);
  const redactor = await loadRedactor(ctx, { tasks: [...graph.nodes.values()].map(({ task }) => task) });
  const clean = (text: string): string => mask(redactor.text(text));
  const startedAt = new Date(taskRun.startedAt ?? Date.now());
  const settings = node
    ? await withNames(
        ctx,
        node.task,
        listSettings(node.task, await scopeOf(ctx, { state, node, iteration, now: startedAt })),
      )
    : [];
  const isTrigger = taskId === graph.triggerId;
  const response = isTrigger
    ? await readCallerResponse(ctx, { run, event, graph, zone, answerLimitMs })
    : null;
  const output = isTrigger ? body : taskRun.output;
  const shown = output === undefined ? null : mask(JSON.stringify(redactor.json(output), null, 2));
  return {
    // Variables of a trigger's settings are rendered for the caller, by other rules than those of tasks.
    settings: settings.map((setting) => ({
      ...setting,
      filled: isTrigger ? null : setting.filled && clean(setting.filled),
    })),
    response: response && { ...response, body: clean(response.body) },
    output: shown?.slice(0, MAX_SHOWN_CHARACTERS) ?? null,
    isCut: shown !== null && shown.length > MAX_SHOWN_CHARACTERS,
    error: taskRun.error ? { code: taskRun.error.code, message: clean(taskRun.error.message) } : null,
    fixPlace: findFixPlace(taskRun.error ?? null),
    errorDetails:
      taskRun.error?.details === undefined ? null : clean(JSON.stringify(taskRun.error.details, null, 2)),
    attempts: (taskRun.attempts ?? []).map((attempt) => ({
      ...attempt,
      error: { code: attempt.error.code, message: clean(attempt.error.message) },
    })),
  };
}

interface Reading {
  state: RunState;
  node: GraphNode;
  iteration: string;
  now: Date;
}

/** What the task's texts see, also of the customer's time zone. */
export async function scopeOf(
  { db, workspaceId }: Context,
  { state, node, iteration, now }: Reading,
): Promise<VariableScope> {
  const scope = state.scopeOf(node, iteration, now);
  const kind = findTaskKind(node.task.type);
  const { settings } = node.task;
  return kind ? scopeInZone(db, kind, { settings, scope, workspaceId, runId: state.run.id, now }) : scope;
}

/** Shows connections and called workflows by name. */
function withNames(ctx: Context, task: WorkflowTask, settings: SettingView[]): Promise<SettingView[]> {
  const ids = listConnectionIds(task);
  const called = findTaskKind(task.type)?.calls?.(task.settings);
  return Promise.all(
    settings.map(async (setting) => {
      if (setting.drawn === called) {
        const names = await findWorkflowNames(ctx, isId(called) ? [called] : []);
        return { ...setting, drawn: names.get(called)?.name ?? 'Deleted workflow' };
      }
      if (!isId(setting.drawn) || !ids.includes(setting.drawn)) return setting;
      return { ...setting, drawn: (await findConnectionName(ctx, setting.drawn)) ?? 'Deleted connection' };
    }),
  );
}

function listSettings(task: WorkflowTask, scope: VariableScope): SettingView[] {
  const definition = findTaskDefinition(task.type);
  if (!definition) return [];
  const schema = definition.settings;
  const shownScope = withSecretNames(scope, listSecretNames(definition, task.settings));
  return Object.entries(task.settings).flatMap(([name, value]) => {
    if (value === undefined || value === '' || value === null) return [];
    if (Array.isArray(value) && value.length === 0) return [];
    const meta = metaOf(schema, name);
    if (!isVisible(schema, name, task.settings)) return [];
    const drawn =
      (typeof value === 'string' && meta.labels?.[value]) || toShownText(maskSetting(schema, name, value));
    const hasVariables = drawn.includes('{{') && meta.keepPlaceholders !== true;
    const filled = hasVariables ? fill(schema, { name, value }, shownScope) : null;
    return [{ name, label: meta.title ?? name, drawn, filled: filled === drawn ? null : filled }];
  });
}

const metaOf = (schema: z.ZodObject, name: string): FieldMeta & { title?: string } =>
  (schema.shape[name] as z.ZodType | undefined)?.meta() ?? {};

/** Fields of another action or mode only contain defaults. */
function isVisible(schema: z.ZodObject, name: string, settings: Record<string, unknown>): boolean {
  const { visibleWhen: when } = metaOf(schema, name);
  if (!when) return true;
  const isShown = (when.is as readonly unknown[]).includes(settings[when.field]);
  return isShown && isVisible(schema, when.field, settings);
}

function fill(
  schema: z.ZodObject,
  { name, value }: { name: string; value: unknown },
  scope: VariableScope,
): string | null {
  try {
    return toShownText(maskSetting(schema, name, evaluateSetting(value, scope) ?? ''));
  } catch {
    return null;
  }
}

const toShownText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** The state of a recorded run with its event, without executing anything. */
export const toRecordedRun = (
  run: Awaited<ReturnType<typeof loadRun>>,
  event: Awaited<ReturnType<typeof getEvent>>,
  { workspaceId, zone, webhooks }: { workspaceId: string; zone: string; webhooks?: JsonValue[] | undefined },
): ConstructorParameters<typeof RunState>[0] => ({
  id: run.id,
  epoch: 0,
  workspaceId,
  zone,
  workflowId: run.workflow_id,
  version: run.version,
  awaitsAnswer: false,
  event: {
    id: event.id,
    isReplay: event.replay_of !== null,
    body: event.body as JsonValue,
    headers: event.headers,
    webhooks,
  },
});

/** The response of a run whose caller waited, and its time: at the first task that waits, or at the end. */
const ANSWER = `
select r.answer, 1000 * extract(epoch from coalesce(
  (select min(t.started_at) from task_runs t where t.run_id = r.id and t.task_id = any($2::int[])), r.finished_at, now()
) - r.created_at)::float8 as ms
from runs r where r.id = $1`;

export interface ResponseOf {
  run: RunRow;
  event: Event;
  graph: CompiledGraph;
  /** Of the workspace. */
  zone: string;
  /** How long a caller waits for a run; left out: the recorded response counts as sent. */
  answerLimitMs?: number | undefined;
}

/**
 * The response that the caller of the production URL got. Null without a caller (replays, retries, runs of a draft, messages
 * of customers) and while the caller waits.
 */
async function readCallerResponse(
  ctx: Context,
  { run, event, graph, zone, answerLimitMs = Infinity }: ResponseOf,
): Promise<CallerResponse | null> {
  const hasCaller = event.kind === 'production' && event.replay_of === null;
  if (!hasCaller || run.retry_of !== null || run.version <= 0) return null;
  if (!run.awaited) return renderAgain(event, graph, zone);
  const nodes = [...graph.nodes.values()];
  const waits = listFirstWaits({
    tasks: nodes.map(({ task }) => task),
    edges: nodes.flatMap(({ children }) => children),
  });
  const { rows } = await ctx.db.$client.query<{ answer: RunAnswer | null; ms: number }>(ANSWER, [
    run.id,
    waits,
  ]);
  const [found] = rows;
  if (found && found.ms > answerLimitMs) return toResponse(renderRunning(run.id));
  return found?.answer ? toResponse(found.answer) : null;
}

/** Rendered from the event alone. Headers with secrets are masked, as everywhere. */
function renderAgain(
  { body, headers, received_at }: Event,
  graph: CompiledGraph,
  zone: string,
): CallerResponse | null {
  if (!isJsonObject(body as JsonValue)) return null;
  const received = { body: body as JsonObject, headers, receivedAt: new Date(received_at), zone };
  const response = prepareResponse(triggerOf(graph), received);
  if (response.kind === 'body') return toResponse(response);
  return response.kind === 'redirect' ? { status: 302, contentType: null, body: response.location } : null;
}

const toResponse = ({ status, contentType, body }: RunAnswer): CallerResponse => ({
  status,
  contentType,
  body,
});
