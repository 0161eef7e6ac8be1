import { AppError } from '#lib/core/errors.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/** Resumes a paused workflow. @throws AppError `not_found`; `conflict` when it is not published */
export async function activateWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.activated' }, (row) => {
    if (row.publishedVersion === null) {
      throw new AppError(
        'conflict',
        'The workflow is not published. Publish it; the first time this also activates it.',
      );
    }
    return { active: true };
  });
}
