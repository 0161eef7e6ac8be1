import { isTriggerType } from '#lib/tasks/kinds.ts';
import { AppError } from '#lib/core/errors.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { insertWorkflow } from './create-workflow.ts';
import { writeDraft } from './save-draft.ts';
import type { WorkflowDraft } from './schema.ts';

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
