import type { MessagingActorContext } from './context.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';
import { addMessages } from './workflow-subscriptions.ts';

/**
 * Runs a workflow when a customer writes to a number of a connection: the connection forwards incoming messages, beside
 * what it forwards already, and the platform sends them to the connection.
 * @throws AppError `not_found`, or what the platform refused; the connection forwards to the workflow then all the same
 */
export async function subscribeToMessages(
  ctx: MessagingActorContext,
  { id, workflowId }: { id: string; workflowId: string },
): Promise<void> {
  await addMessages(ctx, { id, workflowId });
  await subscribeNotifications(ctx, { id });
}
