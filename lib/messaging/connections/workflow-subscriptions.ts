// Which workflows start when a notification of a connection comes in.
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { loadConnectionRow, lockConnection } from './load-connection.ts';
import type { MessageFilter } from './message-source-types.ts';
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
    .where(eq(connectionSubscriptions.connectionId, id))
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

/** Forwards a connection's notifications to a workflow, or changes which. @throws AppError `not_found` */
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
  await writeSubscription(ctx, { id, workflowId: input.workflow_id }, columns, columns);
}

/** Forwards a connection's incoming messages to a workflow, beside what it forwards already. @throws AppError `not_found` */
export async function addMessages(
  ctx: ActorContext,
  { id, workflowId, filter }: { id: string; workflowId: string; filter: MessageFilter },
): Promise<void> {
  const { kinds } = connectionSubscriptions;
  const added = sql`case when 'messages' = any(${kinds}) then ${kinds} else array_append(${kinds}, 'messages') end`;
  const columns = {
    phoneNumberId: filter.phoneNumberId,
    messageKinds: [...new Set(filter.messageKinds)],
    words: [...new Set(filter.words)],
  };
  await writeSubscription(
    ctx,
    { id, workflowId },
    { ...columns, kinds: ['messages'] },
    { ...columns, kinds: added },
  );
}

/** Ends `addMessages`; what else is forwarded to the workflow stays. @throws AppError `not_found` for an unknown connection */
export async function removeMessages(
  ctx: ActorContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  const subscriptions = await listSubscriptions(ctx, { id });
  const subscription = subscriptions.find((each) => each.workflow_id === workflowId);
  const kinds = subscription?.kinds.filter((kind) => kind !== 'messages') ?? [];
  if (subscription && kinds.length > 0) await putSubscription(ctx, { ...subscription, id, kinds });
  else await removeSubscription(ctx, { id, workflowId });
}

/** @param change for a workflow that the connection forwards to already */
async function writeSubscription(
  ctx: ActorContext,
  { id, workflowId }: { id: string; workflowId: string },
  columns: Pick<
    typeof connectionSubscriptions.$inferInsert,
    'kinds' | 'phoneNumberId' | 'messageKinds' | 'words'
  >,
  change: PgUpdateSetSource<typeof connectionSubscriptions>,
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const connection = await lockConnection(ctx, tx, id);
    await assertWorkflow(ctx, tx, workflowId);
    await tx
      .insert(connectionSubscriptions)
      .values({ connectionId: id, workflowId, ...columns })
      .onConflictDoUpdate({
        target: [connectionSubscriptions.connectionId, connectionSubscriptions.workflowId],
        set: change,
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

/** @throws AppError `not_found` for an unknown connection; a workflow that was not subscribed is fine */
export async function removeSubscription(
  ctx: ActorContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const connection = await lockConnection(ctx, tx, id);
    if (!isId(workflowId)) return;
    const removed = await tx
      .delete(connectionSubscriptions)
      .where(
        and(eq(connectionSubscriptions.connectionId, id), eq(connectionSubscriptions.workflowId, workflowId)),
      )
      .returning({ workflowId: connectionSubscriptions.workflowId });
    if (removed.length > 0) await recordAudit(ctx, tx, 'connection.workflow_removed', connection);
  });
}
