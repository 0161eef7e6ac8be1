import { checkDraft as findProblems } from '#lib/editor/canvas/check-draft.ts';
import { toDocument } from '#lib/editor/canvas/document.ts';
import type { Context } from '#lib/identity/context.ts';
import { readPublishedState } from '#lib/screens/read-draft.ts';
import { readFacts } from '#lib/screens/read-facts.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import { listSecretNames } from '#lib/workflows/secrets/list-secrets.ts';
import type { DraftCheck } from './draft-schemas.ts';

/** What the editor says about a draft, as of the last check of its connections. @throws AppError `not_found` */
export async function checkDraft(ctx: Context, { id }: { id: string }): Promise<DraftCheck> {
  const workflow = await getWorkflow(ctx, { id });
  const [{ publishedGraph }, facts, secretNames] = await Promise.all([
    readPublishedState(ctx, workflow),
    readFacts(ctx, workflow.tasks),
    listSecretNames(ctx, ctx.db),
  ]);
  const { problems, changeCount } = await findProblems(
    toDocument(workflow),
    publishedGraph,
    facts,
    secretNames,
  );
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
