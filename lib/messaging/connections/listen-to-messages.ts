import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { connections, connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { MessageStart } from '#lib/messaging/schema/subscription-kinds.ts';

const { connectionId, workflowId, kinds, messageTrigger } = connectionSubscriptions;

/**
 * Subscribes a workflow to the messages of its trigger, in the transaction that publishes it; its other subscriptions stay,
 * except to messages of the same connection: for these only the trigger counts.
 * @param start null: it listens to no messages
 * @throws AppError `invalid_workflow` for a connection that the workspace does not have
 */
export async function listenToMessages(
  ctx: Context,
  tx: Transaction,
  { id, start }: { id: string; start: MessageStart | null },
): Promise<void> {
  const ofWorkflow = eq(workflowId, id);
  const otherKinds = sql`array_remove(${kinds}, 'messages')`;
  await tx
    .update(connectionSubscriptions)
    .set({ messageTrigger: null, kinds: otherKinds })
    .where(and(ofWorkflow, isNotNull(messageTrigger)));
  if (start) {
    if (!(await hasConnection(ctx, tx, start.connectionId)))
      throw new AppError(
        'invalid_workflow',
        'The connection whose messages start the workflow does not exist.',
      );
    const { connectionId: source, ...filter } = start;
    const { phoneNumberId, messageKinds, words } = filter;
    // 0.1.0 reads `kinds` and the columns beside it, so that it starts the workflow on the same messages.
    await tx
      .insert(connectionSubscriptions)
      .values({
        connectionId: source,
        workflowId: id,
        kinds: ['messages'],
        phoneNumberId,
        messageKinds,
        words,
        messageTrigger: filter,
      })
      .onConflictDoUpdate({
        target: [connectionId, workflowId],
        set: {
          kinds: sql`array_append(${otherKinds}, 'messages')`,
          // The number also applies to the other kinds.
          phoneNumberId: sql`case when ${otherKinds} = '{}' then ${phoneNumberId} else ${connectionSubscriptions.phoneNumberId} end`,
          messageKinds,
          words,
          messageTrigger: filter,
        },
      });
  }
  await tx
    .delete(connectionSubscriptions)
    .where(and(ofWorkflow, isNull(messageTrigger), eq(sql`cardinality(${kinds})`, 0)));
}

/** Whether the workspace has a connection; prevents its deletion until the transaction ends. */
export async function hasConnection(ctx: Context, tx: Transaction, id: string): Promise<boolean> {
  const isOurs = and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId));
  const found = isId(id)
    ? await tx.select({ id: connections.id }).from(connections).where(isOurs).for('share')
    : [];
  return found.length > 0;
}
