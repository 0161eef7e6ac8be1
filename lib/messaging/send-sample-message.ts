import * as z from 'zod';
import { MESSAGE_LIMITS } from '#lib/messaging/sending/message-limits.ts';
import { databaseOn, inTransaction } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { findBlock, findRefusal } from '#lib/messaging/sending/find-blocks.ts';
import { findCategory } from '#lib/messaging/message-templates/find-template-facts.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { type OutgoingMessage, sendMessage } from '#lib/messaging/platform/messages.ts';
import { describeLimit, MarketingPlace } from '#lib/messaging/sending/marketing-limit.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import { recordUse } from '#lib/messaging/connections/connection-rows.ts';
import type { MessagingActorContext } from '#lib/messaging/connections/context.ts';

export const sampleMessageSchema = z.strictObject({
  id: z.string(),
  phoneNumberId: z.string().min(1, 'Select the number to send from.'),
  recipient: z.string().trim().min(1, 'Enter the recipient’s number.').max(40),
  /** A text if the customer has written in the last 24 hours; otherwise a template without parameters. */
  message: z.union([
    z.strictObject({ text: z.string().trim().min(1, 'Enter a text.').max(MESSAGE_LIMITS.text) }),
    z.strictObject({
      templateName: z.string().min(1, 'Select a message template.'),
      language: z.string().optional(),
    }),
  ]),
});

/** Sends one message manually, to test a connection. @returns the message id. @throws AppError */
export async function sendSampleMessage(
  ctx: MessagingActorContext,
  { id, phoneNumberId, recipient, message }: z.output<typeof sampleMessageSchema>,
): Promise<string> {
  const { value, problem } = readRecipient(recipient);
  if (problem !== undefined)
    throw new AppError('invalid_request', problem, { problems: [{ path: 'recipient', message: problem }] });
  const outgoing: OutgoingMessage =
    'text' in message
      ? { type: 'text', body: message.text, previewUrl: false }
      : {
          type: 'template',
          name: message.templateName,
          language: message.language ?? 'en_US',
          values: [],
        };
  const { workspaceId } = ctx;
  const place = new MarketingPlace(ctx.db.$client, { workspaceId, recipient: value.id });
  const beforeSending = (): Promise<void> => assertAllowed(ctx, id, value.id, { message: outgoing, place });
  const { messageId, messageStatus, number } = await callForScreen(ctx, id, undefined, (access) =>
    place.holdFor(() => sendMessage({ ...access, beforeSending }, phoneNumberId, value.id, outgoing)),
  );
  const templateName = 'text' in message ? undefined : message.templateName;
  const sent = {
    messageId,
    messageStatus,
    connectionId: id,
    phoneNumberId,
    recipient: value.id,
    number,
    kind: outgoing.type,
    templateName,
    taskRun: null,
  };
  await inTransaction(ctx.db.$client, async (client) => {
    const db = databaseOn(client);
    await recordSent({ db, workspaceId: ctx.workspaceId }, sent);
    await recordUse(ctx, db, id, 'connection.tested');
  });
  return messageId;
}

/** A hold keeps only workflows from sending. @throws AppError `conflict` */
async function assertAllowed(
  ctx: MessagingActorContext,
  connectionId: string,
  recipient: string,
  { message, place }: { message: OutgoingMessage; place: MarketingPlace },
): Promise<void> {
  const { workspaceId, secrets } = ctx;
  const refusal = await findRefusal(() => findBlock(ctx.db.$client, { workspaceId, secrets, recipient }), {
    isTemplate: message.type === 'template',
    findCategory: async () => {
      if (message.type !== 'template') return undefined;
      const { name, language } = message;
      return findCategory(
        { ...ctx, pool: ctx.db.$client },
        { connectionId, businessAccountId: '', name, language },
      );
    },
    place,
  });
  if (refusal?.kind === 'limited') throw new AppError('conflict', describeLimit(refusal));
  if (refusal?.kind !== 'stopped') return;
  const what = refusal.purpose === 'all' ? 'all messages' : 'marketing messages';
  throw new AppError('conflict', `The customer stopped ${what}. Record their consent before you send again.`);
}
