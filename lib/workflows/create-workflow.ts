import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import type { Problem } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { checkLive } from './check-live.ts';
import { checkGraph, toGraph, triggerIdOf } from './check-graph.ts';
import { nextTaskIdAfter } from './check-task-ids.ts';
import { loadWorkflow } from './load-workflow.ts';
import { listenAsDrafted } from './listen-as-drafted.ts';
import { publishDraft } from './publish-workflow.ts';
import { receiveMessages } from './receive-messages.ts';
import type { NewWorkflow, PublishedWorkflow, Workflow } from './schema.ts';
import { tokenBinding } from './to-workflow.ts';

/**
 * Creates a workflow with a draft and its own URLs; it is only published and activated with `publish`.
 * @param action for the audit log
 * @throws AppError `invalid_workflow`: nothing was created
 */
export async function createWorkflow(
  ctx: ActorContext,
  input: NewWorkflow,
  action: MadeBy = 'workflow.created',
): Promise<PublishedWorkflow> {
  // The platform is queried before and after the transaction, never inside it.
  const problems = input.publish ? await checkLive(ctx, toGraph(input)) : [];
  const workflow = await ctx.db.transaction((tx) => insertWorkflow(ctx, tx, input, action, problems));
  return input.publish ? receiveMessages(ctx, workflow) : { ...workflow, warnings: [] };
}

type MadeBy = 'workflow.created' | 'workflow.imported';

/** The same inside a transaction. @param known problems that prevent publishing, from the platform */
export async function insertWorkflow(
  ctx: ActorContext,
  tx: Transaction,
  input: NewWorkflow,
  action: MadeBy,
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
