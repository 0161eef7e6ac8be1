import type { ActorContext } from '#lib/identity/context.ts';
import { insertWorkflow } from './create-workflow.ts';
import { getWorkflow } from './get-workflow.ts';
import { MAX_NAME_CHARACTERS, type Workflow } from './schema.ts';

const SUFFIX = ' (copy)';

/** Creates a workflow with the same draft and tags, unpublished and with its own URLs. @throws AppError `not_found` */
export async function duplicateWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  const { tasks, edges, notes, ...original } = await getWorkflow(ctx, { id });
  const name = original.name.slice(0, MAX_NAME_CHARACTERS - SUFFIX.length) + SUFFIX;
  const copy = { name, tasks, edges, notes };
  return ctx.db.transaction((tx) => insertWorkflow(ctx, tx, copy, 'workflow.created', [], original.tags));
}
