import { checkDraft as findProblems } from '#lib/editor/canvas/check-draft.ts';
import { toDocument } from '#lib/editor/canvas/document.ts';
import { waitsAt } from '#lib/editor/canvas/list-answering-tasks.ts';
import type { CanvasProblem } from '#lib/editor/canvas/problem-types.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { listSilentConnections } from '#lib/messaging/connections/list-silent-connections.ts';
import { readPublishedState } from '#lib/screens/read-draft.ts';
import { readFacts } from '#lib/screens/read-facts.ts';
import { readPicks } from '#lib/tasks/read-picks.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import { listKnownSecrets } from '#lib/workflows/secrets/list-secrets.ts';
import type { DraftCheck } from './draft-schemas.ts';

/**
 * The editor's checks of a draft, with the last known state of its connections.
 * @throws AppError `not_found`
 */
export async function checkDraft(ctx: Context, { id }: { id: string }): Promise<DraftCheck> {
  const workflow = await getWorkflow(ctx, { id });
  const [{ publishedGraph }, facts, secrets, unheard] = await Promise.all([
    readPublishedState(ctx, workflow),
    readFacts(ctx, workflow.tasks),
    listKnownSecrets(ctx, ctx.db),
    findUnheard(ctx, workflow.tasks),
  ]);
  const { problems: found, changeCount } = await findProblems(
    toDocument(workflow),
    publishedGraph,
    facts,
    secrets,
  );
  const problems = [...found, ...unheard];
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
