import { and, eq } from 'drizzle-orm';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Context } from '#lib/identity/context.ts';

/** @throws AppError `workflow_not_active`, with the reason why runs of the workflow cannot be started now */
export async function assertWorkflowRuns(ctx: Context, id: string): Promise<void> {
  const [row] = await ctx.db
    .select()
    .from(workflows)
    .where(and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId)));
  if (!row || row.deletedAt !== null)
    throw new AppError('workflow_not_active', 'The workflow was deleted. Restore it first.');
  if (row.publishedVersion === null)
    throw new AppError('workflow_not_active', 'The workflow is not published. Publish it first.');
  if (!row.active) throw new AppError('workflow_not_active', 'The workflow is paused. Activate it first.');
}
