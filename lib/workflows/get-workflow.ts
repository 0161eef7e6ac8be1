import type { Context } from '#lib/identity/context.ts';
import { loadWorkflow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';

/** A workflow with its draft. @throws AppError `not_found` */
export async function getWorkflow(ctx: Context, { id }: { id: string }): Promise<Workflow> {
  return loadWorkflow(ctx, id);
}
