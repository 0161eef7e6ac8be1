import type { DraftRunOptions } from '#lib/engine/draft-run.ts';
import { type RunnableDraft, toRunnableDraft } from './to-runnable-draft.ts';
import { compileGraph } from '#lib/engine/graph.ts';
import { listKeptTasks } from '#lib/engine/list-kept-tasks.ts';
import { startDraftRun } from '#lib/engine/store/start-draft-run.ts';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { getRun } from '#lib/runs/get-run.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import type { Run } from '#lib/runs/schema.ts';
import { lockWorkflow, type WorkflowRow } from '../load-workflow.ts';
import { findRunEvent, saveSample } from './find-run-event.ts';
import { loadOutcomes } from './load-outcomes.ts';
import { loadPins } from './pins.ts';
import type { DraftRunInput } from './schema.ts';

/**
 * Runs a workflow's draft without publishing it, with the engine of published versions. Side effects of its tasks are
 * captured (lib/engine/draft-run.ts), unless messages are let through to the user's own number, or requests to other services
 * are.
 * @throws AppError `not_found`; `invalid_request`; `invalid_workflow` when the graph cannot be executed; `conflict` when the
 *   draft is not at `draft_revision` any more
 */
export async function runDraft(ctx: ActorContext, input: DraftRunInput): Promise<Run> {
  const sendTo = input.send_to === null ? null : readOwnNumber(input.send_to);
  const runId = await ctx.db.transaction(async (tx) => {
    const row = await lockWorkflow(ctx, tx, input.id);
    if (input.draft_revision !== undefined && input.draft_revision !== row.draftRevision)
      throw new AppError('conflict', 'The draft was just changed elsewhere. Review it and try again.');
    const draft = await toRunnableDraft(row.draft);
    const options: DraftRunOptions = {
      sendTo,
      callsServices: input.call_services,
      refusals: draft.refusals,
      pins: await loadPins(tx, row.id),
    };
    const started = await start(ctx, tx, { input, row, draft, options });
    await recordAudit(ctx, tx, 'workflow.draft_run', { id: row.id, name: row.name });
    return started;
  });
  return getRun(ctx, { id: runId });
}

async function start(
  ctx: ActorContext,
  tx: Transaction,
  {
    input,
    row,
    draft: { graph },
    options,
  }: { input: DraftRunInput; row: WorkflowRow; draft: RunnableDraft; options: DraftRunOptions },
): Promise<string> {
  const earlier = input.from && (await loadRun(ctx, input.from.run_id));
  if (earlier && earlier.workflow_id !== row.id)
    throw new AppError('not_found', 'This workflow has no such run.');
  if (input.from && !graph.tasks.some(({ id }) => id === input.from?.task_id))
    throw new AppError('invalid_request', 'The draft has no such task that the trigger leads to.');
  const eventId =
    input.sample_text === undefined
      ? await findRunEvent(ctx, row.id, input.event_id ?? earlier?.event_id)
      : await saveSample(tx, { workspaceId: row.workspaceId, workflowId: row.id, text: input.sample_text });
  const { draftRevision: revision, name, sealedBy } = row;
  return startDraftRun(tx, {
    workspaceId: row.workspaceId,
    workflowId: row.id,
    eventId,
    draft: { revision, name, sealedBy, graph },
    startedBy: ctx.actor,
    options,
    resumes:
      input.from && earlier
        ? {
            runId: earlier.id,
            taskIds: listKeptTasks(
              compileGraph(graph),
              input.from.task_id,
              await loadOutcomes(tx, earlier.id),
            ),
          }
        : undefined,
  });
}

function readOwnNumber(text: string): string {
  const { value, problem } = readRecipient(text);
  if (problem === undefined) return value.id;
  throw new AppError('invalid_request', problem, { problems: [{ path: 'send_to', message: problem }] });
}
