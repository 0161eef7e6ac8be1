import { eq } from 'drizzle-orm';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context } from '#lib/identity/context.ts';
import { messagePrices } from '#lib/messaging/schema/message-days.ts';
import { type MessagePrices, NO_PRICES } from '#lib/messaging/schema/message-prices.ts';

/** The workspace's prices of messages; without any: in US dollars. */
export async function getMessagePrices({
  db,
  workspaceId,
}: Pick<Context, 'db' | 'workspaceId'>): Promise<MessagePrices> {
  const [row] = await db
    .select({ currency: messagePrices.currency, prices: messagePrices.prices })
    .from(messagePrices)
    .where(eq(messagePrices.workspaceId, workspaceId));
  return row ?? NO_PRICES;
}

/** Replaces them. Reports calculate with them at once, also for earlier days. */
export async function setMessagePrices(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { currency, prices }: MessagePrices,
): Promise<MessagePrices> {
  const { workspaceId } = ctx;
  await ctx.db.transaction(async (tx) => {
    await tx
      .insert(messagePrices)
      .values({ workspaceId, currency, prices })
      .onConflictDoUpdate({ target: messagePrices.workspaceId, set: { currency, prices } });
    await recordAudit(ctx, tx, 'workspace.prices_changed', { id: workspaceId });
  });
  return { currency, prices };
}
