import { and, asc, eq } from 'drizzle-orm';
import { connections, connectionSubscriptions } from '#lib/messaging/schema/connections.ts';
import { getWorkflow } from '#lib/workflows/get-workflow.ts';
import type { Context } from '#lib/identity/context.ts';
import type { MessageFilter, MessageSource } from '#lib/messaging/connections/message-source-types.ts';

/** The workspace's connections, by name, with which of their messages start a workflow. @throws AppError `not_found` */
export async function listMessageSources(
  ctx: Context,
  { workflowId }: { workflowId: string },
): Promise<MessageSource[]> {
  await getWorkflow(ctx, { id: workflowId });
  const rows = await ctx.db
    .select({ id: connections.id, name: connections.name, subscription: connectionSubscriptions })
    .from(connections)
    .leftJoin(
      connectionSubscriptions,
      and(
        eq(connectionSubscriptions.connectionId, connections.id),
        eq(connectionSubscriptions.workflowId, workflowId),
      ),
    )
    .where(eq(connections.workspaceId, ctx.workspaceId))
    .orderBy(asc(connections.name), asc(connections.id));
  return rows.map(({ id, name, subscription }) => ({ id, name, filter: filterOf(subscription) }));
}

function filterOf(subscription: typeof connectionSubscriptions.$inferSelect | null): MessageFilter | null {
  if (!subscription?.kinds.includes('messages')) return null;
  const { phoneNumberId, messageKinds, words } = subscription;
  return { phoneNumberId, messageKinds, words };
}
