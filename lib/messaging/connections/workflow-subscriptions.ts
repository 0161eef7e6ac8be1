// Which workflows start when a notification of a connection comes in.
import { and, eq, gt, isNotNull, isNull, not, sql } from 'drizzle-orm';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { loadConnectionRow, lockConnection } from './load-connection.ts';
import type { ConnectionSubscription, SubscriptionInput } from './schema.ts';

/** @throws AppError `not_found` */
export async function listSubscriptions(
  ctx: Context,
  { id }: { id: string },
): Promise<ConnectionSubscription[]> {
  await loadConnectionRow(ctx, id);
  const rows = await ctx.db
    .select({ subscription: connectionSubscriptions })
    .from(connectionSubscriptions)
    .innerJoin(
      workflows,
      and(eq(workflows.id, connectionSubscriptions.workflowId), isNull(workflows.deletedAt)),
    )
    .where(
      and(
        eq(connectionSubscriptions.connectionId, id),
        gt(sql`cardinality(${connectionSubscriptions.kinds})`, 0),
      ),
    )
    .orderBy(connectionSubscriptions.createdAt);
  return rows.map(({ subscription }) => toSubscription(subscription));
}

const toSubscription = ({
  workflowId,
  kinds,
  phoneNumberId,
  messageKinds,
  words,
}: typeof connectionSubscriptions.$inferSelect): ConnectionSubscription => ({
  workflow_id: workflowId,
  kinds,
  phone_number_id: phoneNumberId,
  message_kinds: messageKinds,
  words,
});

/**
 * Forwards a connection's notifications to a workflow, or changes which, besides the messages that the workflow's trigger
 * names. @throws AppError `not_found`
 */
export async function putSubscription(
  ctx: ActorContext,
  {
    id,
    ...input
  }: Omit<SubscriptionInput, 'phone_number_id'> & { id: string; phone_number_id: string | null },
): Promise<void> {
  const columns = {
    kinds: [...new Set(input.kinds)],
    phoneNumberId: input.phone_number_id,
    messageKinds: [...new Set(input.message_kinds)],
    words: [...new Set(input.words)],
  };
  const workflowId = input.workflow_id;
  await ctx.db.transaction(async (tx) => {
    const connection = await lockConnection(ctx, tx, id);
    await assertWorkflow(ctx, tx, workflowId);
    await tx
      .insert(connectionSubscriptions)
      .values({ connectionId: id, workflowId, ...columns })
      .onConflictDoUpdate({
        target: [connectionSubscriptions.connectionId, connectionSubscriptions.workflowId],
        set: columns,
      });
    await recordAudit(ctx, tx, 'connection.workflow_added', connection);
  });
}

async function assertWorkflow(ctx: ActorContext, tx: Transaction, id: string): Promise<void> {
  const isOurs = and(
    eq(workflows.id, id),
    eq(workflows.workspaceId, ctx.workspaceId),
    isNull(workflows.deletedAt),
  );
  const found = isId(id)
    ? await tx.select({ id: workflows.id }).from(workflows).where(isOurs).for('share')
    : [];
  if (found.length === 0) throw new AppError('not_found', 'This workflow does not exist.');
}

/**
 * Ends that; the workflow still listens to the messages that its trigger names.
 * @throws AppError `not_found` for an unknown connection; a workflow that was not subscribed is fine
 */
export async function removeSubscription(
  ctx: ActorContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const connection = await lockConnection(ctx, tx, id);
    if (!isId(workflowId)) return;
    const isMeant = and(
      eq(connectionSubscriptions.connectionId, id),
      eq(connectionSubscriptions.workflowId, workflowId),
    );
    const meant = { workflowId: connectionSubscriptions.workflowId };
    const isOfTrigger = isNotNull(connectionSubscriptions.messageTrigger);
    const kept = await tx
      .update(connectionSubscriptions)
      .set({ kinds: [] })
      .where(and(isMeant, isOfTrigger, gt(sql`cardinality(${connectionSubscriptions.kinds})`, 0)))
      .returning(meant);
    const removed = await tx
      .delete(connectionSubscriptions)
      .where(and(isMeant, not(isOfTrigger)))
      .returning(meant);
    if (kept.length + removed.length > 0)
      await recordAudit(ctx, tx, 'connection.workflow_removed', connection);
  });
}
