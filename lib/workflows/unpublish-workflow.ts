import type { Context } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/** Takes a workflow out of service; its versions stay, and runs that are under way go on. @throws AppError `not_found` */
export async function unpublishWorkflow(ctx: Context, { id }: { id: string }): Promise<Workflow> {
  return changeWorkflow(ctx, id, () => ({ publishedVersion: null, answersAfterRun: false }));
}
