import { eq } from 'drizzle-orm';
import { findDraftSizeProblem } from '#lib/workflows/draft-size.ts';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';
import { mayBecome } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { Context, Transaction, ActorContext } from '#lib/identity/context.ts';
import { toGraph, checkGraph, nextTaskIdAfter, checkTaskIds } from './check-graph.ts';
import { listenAsDrafted } from './listen-as-drafted.ts';
import { lockWorkflow, type WorkflowRow, loadWorkflow } from './load-workflow.ts';
import type { WorkflowDraft, Workflow } from './schema.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';

export interface SavedDraft {
  revision: number;
  nextTaskId: number;
  /** The tasks whose stored settings differ from the sent ones: their secrets were encrypted. */
  sealed: WorkflowTask[];
}

type DraftOfWorkflow = WorkflowDraft & { id: string; draft_revision: number };

/**
 * Saves the editor's draft, which may be unconnected, incomplete and wrong. Only what later steps rely on is checked: unique
 * ids, known types, one trigger that keeps its id, edges between existing tasks. Unlike in `replaceDraft`, a removed task may
 * return under its id, because undo does that. The editor saves every few seconds: the audit log has publications, not saves.
 * @throws AppError `not_found`; `invalid_workflow`; `conflict` when the draft is not at `draft_revision` any more
 */
export async function saveDraft(ctx: Context, input: DraftOfWorkflow): Promise<SavedDraft> {
  return ctx.db.transaction((tx) => writeDraft(ctx, tx, input));
}

/** The same inside a transaction, such as the one that creates the workflow. */
export async function writeDraft(
  ctx: Context,
  tx: Transaction,
  { id, ...input }: DraftOfWorkflow,
): Promise<SavedDraft> {
  const drawn = toGraph(input);
  const row = await lockWorkflow(ctx, tx, id);
  if (input.draft_revision !== row.draftRevision) throw conflict(row.draftRevision, input.draft_revision);
  const problems = [...checkStructure(drawn, row), ...(await checkReturningTasks(tx, drawn, row))];
  if (problems.length > 0)
    throw new AppError('invalid_workflow', 'The draft could not be saved.', { problems });
  const draft = await sealGraph(ctx, tx, drawn);
  const revision = row.draftRevision + 1;
  const nextTaskId = nextTaskIdAfter(draft, row.nextTaskId);
  await tx
    .update(workflows)
    .set({
      name: input.name,
      draft,
      sealedBy: SEALING_RULES,
      draftRevision: revision,
      nextTaskId,
      updatedAt: new Date(),
    })
    .where(eq(workflows.id, id));
  if (row.publishedVersion === null) await listenAsDrafted(ctx, tx, { id, draft, before: row.draft });
  return { revision, nextTaskId, sealed: draft.tasks.filter((task, index) => task !== drawn.tasks[index]) };
}

const conflict = (now: number, given: number): AppError =>
  new AppError('conflict', 'Someone else changed this draft in the meantime.', {
    problems: [{ path: 'draft_revision', message: `It is at revision ${now} now, not ${given}.` }],
  });

function checkStructure(draft: WorkflowGraph, { triggerTaskId }: WorkflowRow): Problem[] {
  const problems: Problem[] = [];
  const tooLarge = findDraftSizeProblem(draft);
  if (tooLarge !== undefined) problems.push({ path: '', message: tooLarge });
  const ids = new Set<number>();
  draft.tasks.forEach((task, index) => {
    const path = `tasks[${index}]`;
    const definition = findTaskDefinition(task.type);
    if (!definition) problems.push({ path, message: `There is no task type "${task.type}".` });
    if (ids.has(task.id)) problems.push({ path, message: `The id ${task.id} is used twice.` });
    if (definition?.isTrigger && task.id !== triggerTaskId)
      problems.push({ path, message: `The trigger of this workflow has the id ${triggerTaskId}: keep it.` });
    ids.add(task.id);
  });
  if (!ids.has(triggerTaskId)) problems.push({ path: 'tasks', message: 'The trigger is missing.' });
  draft.edges.forEach(({ from, to }, index) => {
    if (!ids.has(from) || !ids.has(to))
      problems.push({ path: `edges[${index}]`, message: 'It connects a task that does not exist.' });
  });
  return problems;
}

/** An id that was used before must still belong to the same task: at least to the same type, in all published versions; the trigger may become another one. */
async function checkReturningTasks(
  tx: Transaction,
  draft: WorkflowGraph,
  row: WorkflowRow,
): Promise<Problem[]> {
  const types = new Map(row.draft.tasks.map((task) => [task.id, task.type]));
  const returning = draft.tasks.some((task) => task.id < row.nextTaskId && !types.has(task.id));
  if (returning) {
    const versions = await tx
      .select({ graph: workflowVersions.graph })
      .from(workflowVersions)
      .where(eq(workflowVersions.workflowId, row.id));
    for (const { graph } of versions)
      for (const task of graph.tasks) if (!types.has(task.id)) types.set(task.id, task.type);
  }
  return draft.tasks.flatMap((task, index) => {
    const type = types.get(task.id);
    if (type === undefined || mayBecome(type, task.type)) return [];
    const message = `The id ${task.id} belongs to a task of type "${type}": use another id for this task, ${row.nextTaskId} or more.`;
    return [{ path: `tasks[${index}].id`, message }];
  });
}

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
