import { AppError } from '#lib/core/errors.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { type OutgoingMessage, sendMessage } from '#lib/messaging/platform/messages.ts';
import { readRecipient } from '#lib/messaging/sending/recipient.ts';
import { callForScreen } from '#lib/messaging/connections/call-for-screen.ts';
import type { MessagingContext } from '#lib/messaging/connections/context.ts';

export interface TestMessage {
  id: string;
  phoneNumberId: string;
  recipient: string;
  /** A text where the customer has written in the last 24 hours; else a template that takes no parameters. */
  message: { text: string } | { templateName: string; language?: string | undefined };
}

/** Sends one message by hand, to see that a connection works. @returns the message id. @throws AppError */
export async function sendTestMessage(
  ctx: MessagingContext,
  { id, phoneNumberId, recipient, message }: TestMessage,
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
          parameters: [],
        };
  const messageId = await callForScreen(ctx, id, undefined, (access) =>
    sendMessage(access, phoneNumberId, value.id, outgoing),
  );
  const templateName = 'text' in message ? undefined : message.templateName;
  const sent = {
    messageId,
    connectionId: id,
    phoneNumberId,
    recipient: value.id,
    kind: outgoing.type,
    templateName,
    taskRun: null,
  };
  await recordSent(ctx, sent);
  return messageId;
}
