import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/** Renames a workflow; versions keep the name they were published under. @throws AppError `not_found` */
export async function renameWorkflow(
  ctx: ActorContext,
  { id, name }: { id: string; name: string },
): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.renamed' }, () => ({ name }));
}
