// Which workflows start when a notification of a connection comes in.
import { and, eq, isNull } from 'drizzle-orm';
import { connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadConnectionRow } from './load-connection.ts';
import type { ConnectionSubscription } from './schema.ts';

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
  return rows.map(({ subscription: { workflowId, kinds, phoneNumberId } }) => ({
    workflow_id: workflowId,
    kinds,
    phone_number_id: phoneNumberId,
  }));
}

/** Hands a connection's notifications on to a workflow, or changes which. @throws AppError `not_found` */
export async function putSubscription(
  ctx: Context,
  { id, ...input }: ConnectionSubscription & { id: string },
): Promise<void> {
  await loadConnectionRow(ctx, id);
  const [workflow] = isId(input.workflow_id)
    ? await ctx.db
        .select({ id: workflows.id })
        .from(workflows)
        .where(
          and(
            eq(workflows.id, input.workflow_id),
            eq(workflows.workspaceId, ctx.workspaceId),
            isNull(workflows.deletedAt),
          ),
        )
    : [];
  if (!workflow) throw new AppError('not_found', 'This workflow does not exist.');
  const columns = { kinds: [...new Set(input.kinds)], phoneNumberId: input.phone_number_id };
  await ctx.db
    .insert(connectionSubscriptions)
    .values({ connectionId: id, workflowId: workflow.id, ...columns })
    .onConflictDoUpdate({
      target: [connectionSubscriptions.connectionId, connectionSubscriptions.workflowId],
      set: columns,
    });
}

/** @throws AppError `not_found` for an unknown connection; a workflow that was not subscribed is fine */
export async function removeSubscription(
  ctx: Context,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  await loadConnectionRow(ctx, id);
  if (!isId(workflowId)) return;
  await ctx.db
    .delete(connectionSubscriptions)
    .where(
      and(eq(connectionSubscriptions.connectionId, id), eq(connectionSubscriptions.workflowId, workflowId)),
    );
}
