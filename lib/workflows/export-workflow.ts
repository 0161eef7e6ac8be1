import type { Context } from '#lib/workspaces/context.ts';
import { loadWorkflow } from './load-workflow.ts';
import type { NewWorkflow } from './schema.ts';

/** A workflow as it can be imported elsewhere: its drawing without ids of this installation, URLs or tokens. */
export async function exportWorkflow(ctx: Context, { id }: { id: string }): Promise<NewWorkflow> {
  const { name, tasks, edges, notes } = await loadWorkflow(ctx, id);
  return { name, tasks, edges, ...(notes ? { notes } : {}) };
}
