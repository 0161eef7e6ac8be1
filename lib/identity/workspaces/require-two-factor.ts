import { eq, sql } from 'drizzle-orm';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';

/**
 * Sets whether members who sign in with a password need a second factor from their next sign-in on. Setting it again keeps
 * the first date.
 */
export async function requireTwoFactor(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { required }: { required: boolean },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await tx
      .update(workspaces)
      .set({ twoFactorRequiredAt: required ? sql`coalesce(${workspaces.twoFactorRequiredAt}, now())` : null })
      .where(eq(workspaces.id, ctx.workspaceId));
    const done = required ? 'workspace.two_factor_required' : 'workspace.two_factor_optional';
    await recordAudit(ctx, tx, done, { id: ctx.workspaceId });
  });
}

/** Whether a second factor is required. */
export async function getTwoFactorRequirement({
  db,
  workspaceId,
}: Pick<ActorContext, 'db' | 'workspaceId'>): Promise<{ required: boolean }> {
  const [row] = await db
    .select({ since: workspaces.twoFactorRequiredAt })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return { required: (row?.since ?? null) !== null };
}
