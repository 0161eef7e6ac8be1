import type { MessagingContext } from './context.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';
import { listSubscriptions, putSubscription } from './workflow-subscriptions.ts';

/**
 * Runs a workflow when a customer writes to a number of a connection: the connection forwards incoming messages, beside
 * what it forwards already, and the platform sends them to the connection.
 * @throws AppError `not_found`, or what the platform refused; the connection forwards to the workflow then all the same
 */
export async function subscribeToMessages(
  ctx: MessagingContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  const known = (await listSubscriptions(ctx, { id })).find((each) => each.workflow_id === workflowId);
  await putSubscription(ctx, {
    id,
    workflow_id: workflowId,
    kinds: [...(known?.kinds ?? []), 'messages'],
    phone_number_id: known?.phone_number_id ?? null,
  });
  await subscribeNotifications(ctx, { id });
}
