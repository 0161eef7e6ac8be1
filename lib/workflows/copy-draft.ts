import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { createWorkflow } from './create-workflow.ts';
import { saveDraft } from './save-draft.ts';
import type { WorkflowDraft } from './schema.ts';

/**
 * Saves a draft as another workflow, incomplete as it may be: a new workflow takes only what is complete, a draft
 * takes everything, so the trigger comes first and the rest is saved after it.
 * @throws AppError `invalid_request` without a trigger
 */
export async function copyDraft(ctx: Context, draft: WorkflowDraft): Promise<{ id: string }> {
  const trigger = draft.tasks.find((task) => task.type === 'inbound_webhook');
  if (!trigger) throw new AppError('invalid_request', 'The trigger is missing.');
  const { id, draft_revision } = await createWorkflow(ctx, {
    name: draft.name,
    tasks: [trigger],
    edges: [],
  });
  await saveDraft(ctx, { ...draft, id, draft_revision });
  return { id };
}
