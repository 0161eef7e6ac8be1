import { and, eq } from 'drizzle-orm';
import { workflowLooks } from '#lib/engine/schema/looks.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';

/**
 * Records that a user views a workflow's runs, so that earlier failures are not new any more. Ignored for another workspace's
 * workflow. It only concerns the user, so the audit log does not have it.
 */
export async function lookAtWorkflow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  if (!isId(id)) return;
  const isOurs = and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId));
  const [ours] = await ctx.db.select({ id: workflows.id }).from(workflows).where(isOurs);
  if (!ours) return;
  const lookedAt = new Date();
  await ctx.db
    .insert(workflowLooks)
    .values({ userId, workflowId: id, lookedAt })
    .onConflictDoUpdate({ target: [workflowLooks.userId, workflowLooks.workflowId], set: { lookedAt } });
}
