import { eq } from 'drizzle-orm';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import type { Context } from '#lib/identity/context.ts';
import type { WebhookRate } from './webhook-rate-schema.ts';

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
