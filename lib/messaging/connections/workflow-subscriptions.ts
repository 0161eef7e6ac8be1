// Which workflows start on a connection's notifications.
import { and, arrayContains, eq, inArray, isNotNull, isNull, ne, or } from 'drizzle-orm';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import type { StartedWorkflow } from '#lib/messaging/schema/fact-types.ts';
import type { MessageFilter } from '#lib/messaging/schema/subscription-kinds.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { loadConnectionRow, lockConnection } from './connection-rows.ts';
import type { ListedSubscription, SubscriptionInput } from './schema.ts';

/** @throws AppError `not_found` */
export async function listSubscriptions(ctx: Context, { id }: { id: string }): Promise<ListedSubscription[]> {
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

/**
 * The published, active workflows that messages start, by the ids of their connections.
 * @param connectionIds of the workspace; texts that are no ids are ignored. @param except a workflow that is left out
 */
export async function listMessageStarts(
  ctx: Context,
  { connectionIds, except }: { connectionIds: readonly string[]; except: string },
): Promise<ReadonlyMap<string, StartedWorkflow[]>> {
  const ids = connectionIds.filter(isId);
  if (ids.length === 0) return new Map();
  const { connectionId, kinds, messageTrigger } = connectionSubscriptions;
  const rows = await ctx.db
    .select({ row: connectionSubscriptions, name: workflows.name })
    .from(connectionSubscriptions)
    .innerJoin(workflows, eq(workflows.id, connectionSubscriptions.workflowId))
    .where(
      and(
        inArray(connectionId, ids),
        eq(workflows.workspaceId, ctx.workspaceId),
        isNull(workflows.deletedAt),
        eq(workflows.active, true),
        isNotNull(workflows.publishedVersion),
        ne(workflows.id, except),
        or(isNotNull(messageTrigger), arrayContains(kinds, ['messages'])),
      ),
    )
    .orderBy(workflows.name);
  const found = rows.map(({ row, name }) => ({
    id: row.connectionId,
    name,
    filter: row.messageTrigger ?? {
      phoneNumberId: row.phoneNumberId,
      messageKinds: row.messageKinds,
      words: row.words,
    },
  }));
  const byConnection = Map.groupBy(found, ({ id }) => id);
  return new Map([...byConnection].map(([id, of]) => [id, of.map(({ name, filter }) => ({ name, filter }))]));
}

type Row = typeof connectionSubscriptions.$inferSelect;

const toSubscription = ({ workflowId, messageTrigger, ...row }: Row): ListedSubscription => ({
  workflow_id: workflowId,
  kinds: row.kinds,
  phone_number_id: row.phoneNumberId,
  message_kinds: row.messageKinds,
  words: row.words,
  messages_by_trigger: messageTrigger !== null,
});

/**
 * Forwards a connection's notifications to a workflow, or changes their selection. Messages selected by the workflow's trigger
 * are not affected. @throws AppError `not_found`; `conflict` for messages of a connection whose messages the trigger selects
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
    const before = await lockSubscription(tx, { id, workflowId });
    const row = before?.messageTrigger ? besideTrigger(columns, before, before.messageTrigger) : columns;
    await tx
      .insert(connectionSubscriptions)
      .values({ connectionId: id, workflowId, ...row })
      .onConflictDoUpdate({
        target: [connectionSubscriptions.connectionId, connectionSubscriptions.workflowId],
        set: row,
      });
    await recordAudit(ctx, tx, 'connection.workflow_added', connection);
  });
}

type Columns = Pick<Row, 'kinds' | 'phoneNumberId' | 'messageKinds' | 'words'>;

/** @throws AppError `conflict` */
function besideTrigger(columns: Columns, before: Row, { phoneNumberId, ...trigger }: MessageFilter): Columns {
  const isSame =
    sameTexts(columns.messageKinds, trigger.messageKinds) &&
    sameTexts(columns.words, trigger.words) &&
    [phoneNumberId, before.phoneNumberId].includes(columns.phoneNumberId);
  if (columns.kinds.includes('messages') && !isSame) throw decidedByTrigger();
  const kinds: Columns['kinds'] = [...columns.kinds.filter((kind) => kind !== 'messages'), 'messages'];
  return { ...trigger, kinds, phoneNumberId: columns.phoneNumberId };
}

const sameTexts = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((text) => others.includes(text));

const decidedByTrigger = (): AppError =>
  new AppError(
    'conflict',
    'Which messages of this connection start the workflow is set in its trigger. Change it there, and publish.',
  );

async function lockSubscription(
  tx: Transaction,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<Row | undefined> {
  const [row] = await tx.select().from(connectionSubscriptions).where(isOf(id, workflowId)).for('update');
  return row;
}

const isOf = (id: string, workflowId: string) =>
  and(eq(connectionSubscriptions.connectionId, id), eq(connectionSubscriptions.workflowId, workflowId));

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
 * Unsubscribes a workflow; messages selected by its trigger still start it. @throws AppError `not_found` for an unknown
 * connection; `conflict` where only the trigger subscribes to it; a workflow that was not subscribed is fine
 */
export async function removeSubscription(
  ctx: ActorContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const connection = await lockConnection(ctx, tx, id);
    const row = isId(workflowId) ? await lockSubscription(tx, { id, workflowId }) : undefined;
    if (!row) return;
    if (row.messageTrigger) {
      if (row.kinds.every((kind) => kind === 'messages')) throw decidedByTrigger();
      const { phoneNumberId } = row.messageTrigger;
      await tx
        .update(connectionSubscriptions)
        .set({ kinds: ['messages'], phoneNumberId })
        .where(isOf(id, workflowId));
    } else await tx.delete(connectionSubscriptions).where(isOf(id, workflowId));
    await recordAudit(ctx, tx, 'connection.workflow_removed', connection);
  });
}
