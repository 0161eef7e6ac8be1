import { eq } from 'drizzle-orm';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import type { WebhookRate } from './webhook-rate-schema.ts';

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
