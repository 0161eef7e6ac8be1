import { eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadWorkflow, lockWorkflow, type WorkflowRow } from './load-workflow.ts';
import type { Workflow } from './schema.ts';

/** Changes columns of a workflow's row, which no one else changes meanwhile. @throws AppError `not_found` */
export async function changeWorkflow(
  ctx: Context,
  id: string,
  toChange: (row: WorkflowRow) => Partial<WorkflowRow>,
): Promise<Workflow> {
  return ctx.db.transaction(async (tx) => {
    const change = toChange(await lockWorkflow(ctx, tx, id));
    await tx
      .update(workflows)
      .set({ ...change, updatedAt: new Date() })
      .where(eq(workflows.id, id));
    return loadWorkflow(ctx, id, tx);
  });
}
