import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { sealGraph, SEALING_RULES, withoutSecrets } from '#lib/tasks/seal-graph.ts';
import { checkGraph, checkLive, nextTaskIdAfter, toGraph, triggerIdOf } from './check-graph.ts';
import { listenAsDrafted, receiveMessages } from './listen-as-drafted.ts';
import { getWorkflow, loadWorkflow, tokenBinding } from './load-workflow.ts';
import { publishDraft } from './publish-workflow.ts';
import { writeDraft } from './save-draft.ts';
import {
  type ExportedWorkflow,
  MAX_NAME_CHARACTERS,
  type NewWorkflow,
  type PublishedWorkflow,
  type Workflow,
  type WorkflowDraft,
} from './schema.ts';

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
async function insertWorkflow(
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

const SUFFIX = ' (copy)';

/** Creates a workflow with the same draft and tags, unpublished and with its own URLs. @throws AppError `not_found` */
export async function duplicateWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  const { tasks, edges, notes, ...original } = await getWorkflow(ctx, { id });
  const name = original.name.slice(0, MAX_NAME_CHARACTERS - SUFFIX.length) + SUFFIX;
  const copy = { name, tasks, edges, notes };
  return ctx.db.transaction((tx) => insertWorkflow(ctx, tx, copy, 'workflow.created', [], original.tags));
}

/**
 * A workflow for importing elsewhere: its graph without ids of this installation, URLs, tokens or secrets. Secrets are
 * `••••••`, and are entered again before publishing.
 * @throws AppError `not_found`
 */
export async function exportWorkflow(ctx: Context, { id }: { id: string }): Promise<ExportedWorkflow> {
  const { name, tasks, edges, notes } = withoutSecrets(await loadWorkflow(ctx, id));
  return { name, tasks, edges, ...(notes ? { notes } : {}) };
}

/**
 * Saves a draft as another workflow, even if it is incomplete: a new workflow has to be complete, a draft does not, so the
 * workflow is created with the trigger and the rest is saved after it.
 * @throws AppError `invalid_request` without a trigger; `invalid_workflow`: nothing was created
 */
export async function copyDraft(ctx: ActorContext, draft: WorkflowDraft): Promise<{ id: string }> {
  const { name } = draft;
  const trigger = draft.tasks.find(({ type }) => isTriggerType(type));
  if (!trigger) throw new AppError('invalid_request', 'The trigger is missing.');
  return ctx.db.transaction(async (tx) => {
    const blank = { name, tasks: [trigger], edges: [] };
    const { id, draft_revision } = await insertWorkflow(ctx, tx, blank, 'workflow.created');
    await writeDraft(ctx, tx, { ...draft, id, draft_revision });
    return { id };
  });
}
