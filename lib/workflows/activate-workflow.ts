import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/** Lets a paused workflow run again. @throws AppError `not_found`; `conflict` when it is not published */
export async function activateWorkflow(ctx: Context, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(ctx, id, (row) => {
    if (row.publishedVersion === null) {
      throw new AppError(
        'conflict',
        'The workflow is not published. Publish it; the first time this also activates it.',
      );
    }
    return { active: true };
  });
}
