import { eq, max } from 'drizzle-orm';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkGraph, triggerIdOf } from './check-graph.ts';
import { loadWorkflow, lockWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';

/**
 * Makes the draft a new, immutable version and publishes it: its settings are checked and completed. Publishing the
 * first time activates the workflow; later it stays active or paused as it is.
 * @param revision the revision that was reviewed; without it the draft is published as it is
 * @throws AppError `not_found`, `invalid_workflow`, `conflict` when the draft has another revision
 */
export async function publishWorkflow(
  ctx: Context,
  { id, draft_revision: revision }: { id: string; draft_revision?: number },
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, id);
    if (revision !== undefined && revision !== row.draftRevision)
      throw new AppError('conflict', 'The draft was just changed elsewhere. Review it and try again.');
    const graph = checkGraph(row.draft, 'publish');
    const [latest] = await tx
      .select({ version: max(workflowVersions.version) })
      .from(workflowVersions)
      .where(eq(workflowVersions.workflowId, id));
    const version = (latest?.version ?? 0) + 1;
    await tx.insert(workflowVersions).values({
      workflowId: id,
      version,
      name: row.name,
      graph,
      sealedBy: row.sealedBy,
      createdBy: ctx.actor,
    });
    const change = {
      publishedVersion: version,
      active: version === 1 ? true : row.active,
      answersAfterRun: answersAfterRun(graph),
      updatedAt: new Date(),
    };
    await tx.update(workflows).set(change).where(eq(workflows.id, id));
    return loadWorkflow(ctx, id, tx);
  });
}

/** Whether callers of the trigger wait for the run's end (spec: "Respond After Workflow Completes"). */
function answersAfterRun(graph: WorkflowGraph): boolean {
  const triggerId = triggerIdOf(graph);
  return graph.tasks.find((task) => task.id === triggerId)?.settings['response_type'] === 'after_workflow';
}
