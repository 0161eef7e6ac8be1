import type { Context } from '#lib/identity/context.ts';
import { loadWorkflow } from '../load-workflow.ts';
import { countOpenRuns } from './open-runs.ts';
import type { DeletionPreview } from './schema.ts';

/** Previews the effects of deleting a workflow for its callers and its runs. @throws AppError `not_found` */
export async function previewDeletion(ctx: Context, { id }: { id: string }): Promise<DeletionPreview> {
  const { published_version, active } = await loadWorkflow(ctx, id);
  return { isPublished: published_version !== null, active, ...(await countOpenRuns(ctx, id)) };
}
