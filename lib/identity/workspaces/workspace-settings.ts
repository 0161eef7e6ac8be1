import { eq, sql } from 'drizzle-orm';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { WebhookRate } from './schema.ts';

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

/** Sets the workspace's limit of webhooks per second; web processes apply it within a second (docs/webhooks.md). */
export async function setWebhookRate(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { requests_per_second: rate }: WebhookRate,
): Promise<WebhookRate> {
  await ctx.db.transaction(async (tx) => {
    await tx.update(workspaces).set({ webhookRatePerSecond: rate }).where(eq(workspaces.id, ctx.workspaceId));
    const name = rate === null ? 'server default' : `${rate.toLocaleString('en')} per second`;
    await recordAudit(ctx, tx, 'workspace.webhook_rate_changed', { id: ctx.workspaceId, name });
  });
  return { requests_per_second: rate };
}

/** The workspace's limit of webhooks per second. */
export async function getWebhookRate({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<WebhookRate> {
  const [row] = await db
    .select({ requests_per_second: workspaces.webhookRatePerSecond })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  return row ?? { requests_per_second: null };
}
