import type { ActorContext } from '#lib/identity/context.ts';
import { changeWorkflow } from './change-workflow.ts';
import type { Workflow } from './schema.ts';

/** Replaces a workflow's tags. @throws AppError `not_found` */
export async function tagWorkflow(
  ctx: ActorContext,
  { id, tags }: { id: string; tags: string[] },
): Promise<Workflow> {
  return changeWorkflow(ctx, { id, action: 'workflow.tagged' }, (row) =>
    row.tags.join() === tags.join() ? {} : { tags },
  );
}
