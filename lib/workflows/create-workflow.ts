import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import type { Problem } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';
import { hashToken, newToken } from '#lib/webhooks/tokens.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { checkLive } from './check-live.ts';
import { checkGraph, toGraph, triggerIdOf } from './check-graph.ts';
import { nextTaskIdAfter } from './check-task-ids.ts';
import { loadWorkflow } from './load-workflow.ts';
import { listenAsDrafted } from './listen-as-drafted.ts';
import { publishDraft } from './publish-workflow.ts';
import type { NewWorkflow, Workflow } from './schema.ts';
import { tokenBinding } from './to-workflow.ts';

/**
 * Makes a workflow with a draft and URLs of its own; it is neither published nor active unless `publish` asks for it.
 * @throws AppError `invalid_workflow`: nothing was made
 */
export async function createWorkflow(ctx: ActorContext, input: NewWorkflow): Promise<Workflow> {
  const problems = await checkBeforePublishing(ctx, input);
  return ctx.db.transaction((tx) => insertWorkflow(ctx, tx, input, 'workflow.created', problems));
}

/** What the platform says against a workflow that is published as soon as it is made. */
export const checkBeforePublishing = async (ctx: ActorContext, input: NewWorkflow): Promise<Problem[]> =>
  input.publish ? checkLive(ctx, toGraph(input)) : [];

/**
 * The same within a transaction.
 * @param action for the audit log: how it was made
 * @param known problems that keep it from being published (`checkBeforePublishing`)
 */
export async function insertWorkflow(
  ctx: ActorContext,
  tx: Transaction,
  input: NewWorkflow,
  action: 'workflow.created' | 'workflow.imported',
  known: readonly Problem[] = [],
  tags: string[] = [],
): Promise<Workflow> {
  const id = newId();
  const { name, publish } = input;
  const { workspaceId } = ctx;
  const graph = await sealGraph(ctx, tx, toGraph(input));
  if (publish) await checkGraph(graph, 'publish', known);
  const draft = await checkGraph(graph, 'draft');
  await tx.insert(workflows).values({
    id,
    workspaceId,
    name,
    tags,
    draft,
    sealedBy: SEALING_RULES,
    nextTaskId: nextTaskIdAfter(draft, 1),
    triggerTaskId: triggerIdOf(draft),
  });
  const token = newToken();
  const tokenEncrypted = ctx.secrets.seal(token, tokenBinding(workspaceId, id));
  await tx.insert(webhookTokens).values({ tokenHash: hashToken(token), workflowId: id, tokenEncrypted });
  await listenAsDrafted(ctx, tx, { id, draft });
  await recordAudit(ctx, tx, action, { id, name });
  return publish ? publishDraft(ctx, tx, { id }) : loadWorkflow(ctx, id, tx);
}
