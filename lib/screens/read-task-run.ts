import type { z } from 'zod';
import type { SettingView, TaskRunDetail } from '#lib/screens/run-types.ts';
import type { Context } from '#lib/identity/context.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findFixPlace } from './fix-place.ts';
import { runMask } from '#lib/screens/run-mask.ts';
import { readCallerResponse } from '#lib/screens/read-caller-response.ts';
import { findConnectionName } from '#lib/screens/find-connection-name.ts';
import { RunState } from '#lib/engine/run-state.ts';
import { loadGraph } from '#lib/engine/store/load-version.ts';
import { loadTaskRunsAround } from '#lib/engine/store/load.ts';
import { AppError } from '#lib/core/errors.ts';
import { getEvent } from '#lib/events/get-event.ts';
import { isId } from '#lib/core/ids.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { toRecordedRun } from '#lib/screens/recorded-run.ts';
import { loadRedactor } from '#lib/secrets/load-redactor.ts';
import { evaluateSetting } from '#lib/tasks/evaluate-setting.ts';
import { listConnectionIds } from '#lib/tasks/list-picked.ts';
import { listSecretNames, withSecretNames } from '#lib/tasks/named-secrets.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import { maskSetting } from '#lib/tasks/setting-secrets.ts';
import type { FieldMeta } from '#lib/tasks/task-definition.ts';
import type { VariableScope } from '#lib/variables/scope.ts';

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
  const [graph, event] = await Promise.all([
    loadGraph(ctx.db.$client, run.workflow_id, run.version),
    getEvent(ctx, { id: run.event_id }),
  ]);
  const taskRuns = await loadTaskRunsAround(ctx.db.$client, id, graph, iteration);
  const body = event.body as JsonValue;
  const state = new RunState(toRecordedRun(run, event, ctx.workspaceId), graph, taskRuns);
  const taskRun = state.find(taskId, iteration);
  if (!taskRun) throw new AppError('not_found', 'The run has not executed this task in this iteration.');
  const node = graph.nodes.get(taskId);
  const mask = runMask(ctx);
  const redactor = await loadRedactor(ctx, { tasks: [...graph.nodes.values()].map(({ task }) => task) });
  const clean = (text: string): string => mask(redactor.text(text));
  const startedAt = new Date(taskRun.startedAt ?? Date.now());
  const settings = node
    ? await withConnectionNames(
        ctx,
        node.task,
        listSettings(node.task, state.scopeOf(node, iteration, startedAt)),
      )
    : [];
  const isTrigger = taskId === graph.triggerId;
  const response = isTrigger ? await readCallerResponse(ctx, { run, event, graph, answerLimitMs }) : null;
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

/** Shows connections by name. */
function withConnectionNames(
  ctx: Context,
  task: WorkflowTask,
  settings: SettingView[],
): Promise<SettingView[]> {
  const ids = listConnectionIds(task);
  return Promise.all(
    settings.map(async (setting) => {
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
