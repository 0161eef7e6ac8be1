import { AppError } from '#lib/core/errors.ts';
import { listAvailableVariables } from '#lib/editor/canvas/available-variables.ts';
import { checkDraft as findProblems } from '#lib/editor/canvas/check-draft.ts';
import { findTask, toDocument } from '#lib/editor/canvas/document.ts';
import { waitsAt } from '#lib/tasks/kinds.ts';
import type { CanvasProblem } from '#lib/editor/canvas/find-problems.ts';
import { sampleValues } from '#lib/editor/canvas/sample-scope.ts';
import { shortValue } from '#lib/editor/canvas/variable-tree.ts';
import { findSample } from '#lib/editor/load-sample.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { listSilentConnections } from '#lib/messaging/connections/find-answering.ts';
import { readFacts, readPublishedState } from '#lib/screens/read-draft.ts';
import { readPicks } from '#lib/tasks/picks.ts';
import { type CallProblem, findCallProblems } from '#lib/workflows/calls/check-calls.ts';
import { getWorkflow } from '#lib/workflows/load-workflow.ts';
import { listKnownSecrets } from '#lib/workflows/secrets/secrets.ts';
import type { DraftCheck, Variables } from './schemas.ts';

/**
 * The editor's checks of a draft, with the last known state of its connections.
 * @throws AppError `not_found`
 */
export async function checkDraft(ctx: Context, { id }: { id: string }): Promise<DraftCheck> {
  const workflow = await getWorkflow(ctx, { id });
  const [{ publishedGraph }, facts, secrets, unheard, calls] = await Promise.all([
    readPublishedState(ctx, workflow),
    readFacts(ctx, workflow),
    listKnownSecrets(ctx, ctx.db),
    findUnheard(ctx, workflow.tasks),
    findCallProblems(ctx, ctx.db, { id, name: workflow.name, graph: workflow }),
  ]);
  const { problems: found, changeCount } = await findProblems(
    toDocument(workflow),
    publishedGraph,
    facts,
    secrets,
  );
  const problems = [...found, ...unheard, ...calls.map(toCanvasProblem)];
  return {
    can_publish: problems.every(({ severity }) => severity !== 'error'),
    problems: problems.map(({ taskId, field, message, severity }) => ({
      task_id: taskId ?? null,
      field: field ?? null,
      message,
      severity,
    })),
    changes: changeCount,
  };
}

const toCanvasProblem = ({ task, path, message }: CallProblem): CanvasProblem => ({
  taskId: task.id,
  field: path,
  message,
  severity: 'error',
});

/**
 * Tasks that wait for notifications, while their connection has never received one. The editor queries the platform instead.
 */
async function findUnheard(ctx: Context, tasks: readonly WorkflowTask[]): Promise<CanvasProblem[]> {
  const waiting = tasks.flatMap((task) => {
    const { connection } = readPicks(task);
    return connection && waitsAt(task) ? [{ taskId: task.id, connection }] : [];
  });
  const silent = await listSilentConnections(
    ctx,
    waiting.map(({ connection }) => connection.value),
  );
  return waiting.flatMap(({ taskId, connection: { field, value: id } }) => {
    const name = silent.get(id);
    if (name === undefined) return [];
    const message = `“${name}” has not received a notification yet: unless it is subscribed to notifications (POST /connections/${id}/notifications), answers and statuses do not arrive.`;
    return [{ taskId, field: `settings.${field}`, message, severity: 'warning' }];
  });
}

/**
 * The variables that the editor's picker offers for a task of the draft.
 * @throws AppError `not_found` for an unknown workflow or task
 */
export async function listVariables(
  ctx: Context,
  { id, taskId, eventId }: { id: string; taskId: number; eventId: string | undefined },
): Promise<Variables> {
  const document = toDocument(await getWorkflow(ctx, { id }));
  if (!findTask(document, taskId)) throw new AppError('not_found', 'The draft has no such task.');
  const sample = await findSample(ctx, { workflowId: id, eventId });
  const groups = listAvailableVariables(document, taskId, sampleValues(document, taskId, sample));
  return {
    data: groups.flatMap((group) =>
      group.variables.map(({ path, description, value }) => ({
        task_id: group.taskId ?? null,
        from: group.title,
        variable: `{{${path}}}`,
        description: description ?? null,
        sample: value === undefined ? null : shortValue(value),
      })),
    ),
    sample_event_id: sample?.eventId ?? null,
  };
}
