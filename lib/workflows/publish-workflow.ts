import { and, desc, eq, gt } from 'drizzle-orm';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { ScheduleStart } from '#lib/engine/schedule-start.ts';
import { replaceSchedule } from '#lib/engine/schedules/schedules.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { findTaskKind } from '#lib/tasks/kinds.ts';
import { checkGraph, checkLive } from './check-graph.ts';
import { diffGraphs, hasChanges } from './diff-graphs.ts';
import { findMessageStart, receiveMessages } from './listen-as-drafted.ts';
import { listenToMessages } from '#lib/messaging/connections/listen-to-messages.ts';
import { checkCalls } from './calls/check-calls.ts';
import { checkSecrets } from './secrets/secrets.ts';
import { loadWorkflow, lockWorkflow } from './load-workflow.ts';
import type { PublishedWorkflow, Workflow } from './schema.ts';

export interface PublishInput {
  id: string;
  /** Expected revision of the draft, where it was viewed before: otherwise nothing is published. */
  draft_revision?: number;
}

/**
 * Publishes the draft as a new, immutable version: its settings are checked and completed, also with the platform. From then
 * on it starts as its schedule says, subscribes to its trigger's messages, and the platform is asked to send them. The first publication activates the
 * workflow; later it stays active or paused. A draft that equals the latest version creates no other one: that version is
 * published, if it is not already.
 * @throws AppError `not_found`; `conflict` when the draft is not at `draft_revision` any more; `invalid_workflow`
 */
export async function publishWorkflow(ctx: ActorContext, input: PublishInput): Promise<PublishedWorkflow> {
  const { draft_revision, ...draft } = await loadWorkflow(ctx, input.id);
  const problems = await checkLive(ctx, draft);
  const looked = { ...input, draft_revision: input.draft_revision ?? draft_revision };
  const workflow = await ctx.db.transaction((tx) => publishDraft(ctx, tx, looked, problems));
  return receiveMessages(ctx, workflow);
}

/**
 * The same inside a transaction, such as the one that creates the workflow.
 * @param known problems found before: no transaction waits for the platform
 */
export async function publishDraft(
  ctx: ActorContext,
  tx: Transaction,
  { id, draft_revision }: PublishInput,
  known: readonly Problem[] = [],
): Promise<Workflow> {
  const row = await lockWorkflow(ctx, tx, id);
  if (draft_revision !== undefined && draft_revision !== row.draftRevision)
    throw new AppError('conflict', 'The draft was just changed elsewhere. Review it and try again.');
  const unknown = await checkSecrets(ctx, tx, row.draft);
  const calls = await checkCalls(ctx, tx, { id, name: row.name, graph: row.draft });
  const graph = await checkGraph(row.draft, 'publish', [...known, ...unknown, ...calls]);
  const [latest] = await tx
    .select({ version: workflowVersions.version, graph: workflowVersions.graph })
    .from(workflowVersions)
    .where(and(eq(workflowVersions.workflowId, id), gt(workflowVersions.version, 0)))
    .orderBy(desc(workflowVersions.version))
    .limit(1);
  const isSame = latest !== undefined && !hasChanges(diffGraphs(graph, toCurrentGraph(latest.graph)));
  if (isSame && row.publishedVersion === latest.version) return loadWorkflow(ctx, id, tx);
  const version = isSame ? latest.version : (latest?.version ?? 0) + 1;
  const { name, sealedBy } = row;
  const createdBy = ctx.actor;
  if (!isSame)
    await tx.insert(workflowVersions).values({ workflowId: id, version, name, graph, sealedBy, createdBy });
  const change = {
    publishedVersion: version,
    active: latest === undefined ? true : row.active,
    answersAfterRun: answersAfterRun(graph),
    updatedAt: new Date(),
  };
  await tx.update(workflows).set(change).where(eq(workflows.id, id));
  await listenToMessages(ctx, tx, { id, start: findMessageStart(graph) });
  await replaceSchedule(tx, { workflowId: id, workspaceId: ctx.workspaceId, start: findSchedule(graph) });
  await recordAudit(ctx, tx, 'workflow.published', { id, name });
  return loadWorkflow(ctx, id, tx);
}

/** When a workflow starts on its own; null: it does not. */
const findSchedule = (graph: WorkflowGraph): ScheduleStart | null =>
  graph.tasks
    .map(({ type, settings }) => findTaskKind(type)?.schedule?.(settings) ?? null)
    .find((start) => start !== null) ?? null;

/** Whether callers wait for the run's end (spec: "Respond After Workflow Completes"). */
function answersAfterRun(graph: WorkflowGraph): boolean {
  return graph.tasks.some(({ type, settings }) => findTaskKind(type)?.answersAfterRun?.(settings) === true);
}
