import * as z from 'zod';
import { MESSAGE_KINDS } from '#lib/messaging/schema/subscription-kinds.ts';
import type { MessagingActorContext } from './context.ts';
import type { MessageFilter } from './message-source-types.ts';
import { subscriptionSchema } from './schema.ts';
import { subscribeNotifications } from './subscribe-notifications.ts';
import { addMessages } from './workflow-subscriptions.ts';

/** Which messages: by default all of them. */
export const messageFilterSchema = z.strictObject({
  phoneNumberId: subscriptionSchema.shape.phone_number_id,
  messageKinds: z.array(z.enum(MESSAGE_KINDS)).default([]),
  words: subscriptionSchema.shape.words,
}) satisfies z.ZodType<MessageFilter>;

const ALL: MessageFilter = { phoneNumberId: null, messageKinds: [], words: [] };

/**
 * Runs a workflow when a customer writes to a number of a connection: the connection forwards incoming messages, beside
 * what it forwards already, and the platform sends them to the connection.
 * @throws AppError `not_found`, or what the platform refused; the connection forwards to the workflow then all the same
 */
export async function subscribeToMessages(
  ctx: MessagingActorContext,
  { id, workflowId, filter = ALL }: { id: string; workflowId: string; filter?: MessageFilter },
): Promise<void> {
  await addMessages(ctx, { id, workflowId, filter });
  await subscribeNotifications(ctx, { id });
}
