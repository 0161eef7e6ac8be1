import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { checkGraph, toGraph } from './check-graph.ts';
import { checkTaskIds, nextTaskIdAfter } from './check-task-ids.ts';
import { listenAsDrafted } from './listen-as-drafted.ts';
import { loadWorkflow, lockWorkflow } from './load-workflow.ts';
import type { Workflow, WorkflowDraft } from './schema.ts';

/**
 * Replaces name and draft; the published version stays.
 * @throws AppError `not_found`; `invalid_workflow`; `conflict` when the draft is not at the given revision any more
 */
export async function replaceDraft(
  ctx: ActorContext,
  { id, ...input }: WorkflowDraft & { id: string },
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    if (input.draft_revision !== undefined && input.draft_revision !== row.draftRevision) {
      throw new AppError(
        'conflict',
        'The draft was changed in the meantime. Reload it and repeat the change.',
        {
          problems: [
            {
              path: 'draft_revision',
              message: `It is at revision ${row.draftRevision} now, not ${input.draft_revision}.`,
            },
          ],
        },
      );
    }
    const graph = await sealGraph(ctx, tx, toGraph(input));
    const draft = await checkGraph(graph, 'draft', checkTaskIds(graph, row));
    const change = {
      name: input.name,
      draft,
      sealedBy: SEALING_RULES,
      draftRevision: row.draftRevision + 1,
      nextTaskId: nextTaskIdAfter(draft, row.nextTaskId),
      updatedAt: new Date(),
    };
    await tx.update(workflows).set(change).where(eq(workflows.id, id));
    if (row.publishedVersion === null) await listenAsDrafted(ctx, tx, { id, draft, before: row.draft });
    await recordAudit(ctx, tx, 'workflow.draft_replaced', { id, name: input.name });
    return loadWorkflow(ctx, id, tx);
  });
}
