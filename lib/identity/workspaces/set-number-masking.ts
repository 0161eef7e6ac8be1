import { eq } from 'drizzle-orm';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';

/** Turns the masking of customers' numbers on or off for the workspace. */
export async function setNumberMasking(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { masksNumbers }: { masksNumbers: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx.update(workspaces).set({ masksNumbers }).where(eq(workspaces.id, ctx.workspaceId));
    const done = masksNumbers ? 'workspace.numbers_masked' : 'workspace.numbers_shown';
    await recordAudit(ctx, tx, done, { id: ctx.workspaceId });
  });
}
