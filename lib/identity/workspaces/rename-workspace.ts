import { eq } from 'drizzle-orm';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';

/** Renames the workspace. */
export async function renameWorkspace(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { name }: { name: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.update(workspaces).set({ name }).where(eq(workspaces.id, ctx.workspaceId));
    await recordAudit(ctx, tx, 'workspace.renamed', { id: ctx.workspaceId, name });
  });
}
