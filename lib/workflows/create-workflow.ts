import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { newId } from '#lib/core/ids.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';
import { hashToken, newToken } from '#lib/webhooks/tokens.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkGraph, toGraph, triggerIdOf } from './check-graph.ts';
import { nextTaskIdAfter } from './check-task-ids.ts';
import { loadWorkflow } from './load-workflow.ts';
import { publishWorkflow } from './publish-workflow.ts';
import type { NewWorkflow, Workflow } from './schema.ts';
import { tokenBinding } from './to-workflow.ts';

/**
 * Makes a workflow with a draft and URLs of its own; it is neither published nor active unless `publish` asks for it.
 * @throws AppError `invalid_workflow`: nothing was made
 */
export async function createWorkflow(ctx: Context, input: NewWorkflow): Promise<Workflow> {
  const id = newId();
  const { workspaceId } = ctx;
  const token = newToken();
  await ctx.db.transaction(async (tx) => {
    const graph = await sealGraph(ctx, tx, toGraph(input));
    if (input.publish) checkGraph(graph, 'publish');
    const draft = checkGraph(graph, 'draft');
    await tx.insert(workflows).values({
      id,
      workspaceId,
      name: input.name,
      draft,
      sealedBy: SEALING_RULES,
      nextTaskId: nextTaskIdAfter(draft, 1),
      triggerTaskId: triggerIdOf(draft),
    });
    const tokenEncrypted = ctx.secrets.seal(token, tokenBinding(workspaceId, id));
    await tx.insert(webhookTokens).values({ tokenHash: hashToken(token), workflowId: id, tokenEncrypted });
  });
  return input.publish ? publishWorkflow(ctx, { id }) : loadWorkflow(ctx, id);
}
