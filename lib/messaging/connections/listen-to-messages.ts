import { and, eq, isNull, sql } from 'drizzle-orm';
import { connections, connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import type { MessageFilter, MessageStart } from '#lib/messaging/schema/message-start-types.ts';

const { connectionId, workflowId, kinds, messageTrigger } = connectionSubscriptions;

/**
 * Makes a workflow listen to what its trigger says, in the transaction that publishes it; what else connections forward to it
 * stays.
 * @param start null: it listens to no messages
 * @throws AppError `invalid_workflow` for a connection that the workspace does not have
 */
export async function listenToMessages(
  ctx: Context,
  tx: Transaction,
  { id, start }: { id: string; start: MessageStart | null },
): Promise<void> {
  const ofWorkflow = eq(workflowId, id);
  // Rows of older versions say it in `kinds`, too.
  await tx
    .update(connectionSubscriptions)
    .set({ messageTrigger: null, kinds: sql`array_remove(${kinds}, 'messages')` })
    .where(and(ofWorkflow, sql`${messageTrigger} is not null`));
  if (start) {
    if (!(await hasConnection(ctx, tx, start.connectionId)))
      throw new AppError(
        'invalid_workflow',
        'The connection whose messages start the workflow does not exist.',
      );
    const filter = toFilter(start);
    await tx
      .insert(connectionSubscriptions)
      .values({ connectionId: start.connectionId, workflowId: id, kinds: [], messageTrigger: filter })
      .onConflictDoUpdate({ target: [connectionId, workflowId], set: { messageTrigger: filter } });
  }
  await tx
    .delete(connectionSubscriptions)
    .where(and(ofWorkflow, isNull(messageTrigger), eq(sql`cardinality(${kinds})`, 0)));
}

const toFilter = ({ phoneNumberId, messageKinds, words }: MessageStart): MessageFilter => ({
  phoneNumberId,
  messageKinds,
  words,
});

/** Whether the workspace has a connection, which is not deleted until the transaction ends. */
export async function hasConnection(ctx: Context, tx: Transaction, id: string): Promise<boolean> {
  const isOurs = and(eq(connections.id, id), eq(connections.workspaceId, ctx.workspaceId));
  const found = isId(id)
    ? await tx.select({ id: connections.id }).from(connections).where(isOurs).for('share')
    : [];
  return found.length > 0;
}
