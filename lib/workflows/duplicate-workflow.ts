import type { ActorContext } from '#lib/identity/context.ts';
import { createWorkflow } from './create-workflow.ts';
import { getWorkflow } from './get-workflow.ts';
import { MAX_NAME_CHARACTERS, type Workflow } from './schema.ts';

const SUFFIX = ' (copy)';

/** Creates a workflow with the same draft, unpublished and with its own URLs. @throws AppError `not_found` */
export async function duplicateWorkflow(ctx: ActorContext, { id }: { id: string }): Promise<Workflow> {
  const { tasks, edges, notes, ...original } = await getWorkflow(ctx, { id });
  const name = original.name.slice(0, MAX_NAME_CHARACTERS - SUFFIX.length) + SUFFIX;
  return createWorkflow(ctx, { name, tasks, edges, notes });
}
