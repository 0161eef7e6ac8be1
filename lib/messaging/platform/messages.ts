// POST /{phone}/messages: bodies according to the spec's table of endpoints.
import * as z from 'zod';
import type { JsonObject } from '#lib/core/json/value.ts';
import { objectsOf, text } from '#lib/messaging/platform-fields.ts';
import type { FilledSlot } from './template-slot-types.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { labelOfCode } from './error-table.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { type InteractiveMessage, toInteractive } from './interactive-message.ts';
import {
  type ContentMessage,
  type MediaSource,
  type MediaType,
  type MessageExtras,
  toContent,
  toExtras,
} from './message-parts.ts';
import { PlatformError } from './platform-error.ts';
import { type QuickReplyPayload, toTemplateComponents } from './template-components.ts';
import { isUserId } from './ids.ts';

export type { MediaSource, MediaType } from './message-parts.ts';

export type OutgoingMessage =
  | ({
      type: 'template';
      name: string;
      language: string;
      values: readonly FilledSlot[];
      quickReplies?: readonly QuickReplyPayload[];
    } & MessageExtras)
  | ({ type: 'text'; body: string; previewUrl: boolean } & MessageExtras)
  | {
      type: 'media';
      mediaType: MediaType;
      source: MediaSource;
      caption?: string | undefined;
      filename?: string | undefined;
    }
  | InteractiveMessage
  | ContentMessage;

const sentSchema = z.object({
  messages: objectsOf({ id: text, message_status: text }),
  contacts: objectsOf({ wa_id: text }),
});

interface SendOptions {
  /** Returned with each status of the message; overrides the message's own. */
  callbackData?: string | undefined;
}

interface SentAnswer {
  /** Assigned by the platform. */
  messageId: string;
  /** Such as `accepted`, or `held_for_quality_assessment`; empty: not returned. */
  messageStatus: string;
  /** The recipient's number on the platform, which for some countries differs from the entered one; empty: not returned. */
  number: string;
}

/**
 * Sends a message.
 * @param recipient the digits of a number, or a user id. @throws PlatformError
 */
export async function sendMessage(
  access: GraphAccess,
  phoneNumberId: string,
  recipient: string,
  message: OutgoingMessage,
  { callbackData }: SendOptions = {},
): Promise<SentAnswer> {
  const to: JsonObject = isUserId(recipient) ? { recipient } : { to: recipient };
  const body = {
    messaging_product: access.settings.product,
    ...to,
    ...toPayload(message),
    ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
  };
  try {
    const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'messages'], body });
    const { messages, contacts } = sentSchema.parse(answer);
    const { id: messageId = '', message_status: messageStatus = '' } = messages[0] ?? {};
    if (messageId === '') throw lostAnswer(200, 'Its response has no message ID.');
    telemetry.send.tell({ type: message.type, outcome: 'accepted', error: 'none' });
    return { messageId, messageStatus, number: contacts[0]?.wa_id ?? '' };
  } catch (thrown) {
    const error = asRefusalOfSend(thrown);
    const { kind, facts } = error instanceof PlatformError ? error : { kind: 'internal' };
    telemetry.send.tell({ type: message.type, outcome: kind, error: labelOfCode(facts?.code) });
    throw error;
  }
}

/** The spec's platform refuses sends beyond the tier with a code that the real one only uses for management calls. */
const asRefusalOfSend = (error: unknown): unknown =>
  error instanceof PlatformError && error.kind === 'management_limit'
    ? new PlatformError('rate', error.facts, error)
    : error;

/**
 * Marks a message and earlier ones as read. @param isTyping shows a typing indicator until the next message, for 25 seconds at
 * most. @throws PlatformError
 */
export async function markRead(
  access: GraphAccess,
  phoneNumberId: string,
  messageId: string,
  { isTyping = false } = {},
): Promise<boolean> {
  const body = {
    messaging_product: access.settings.product,
    status: 'read',
    message_id: messageId,
    ...(isTyping ? { typing_indicator: { type: 'text' } } : {}),
  };
  const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'messages'], body });
  return answer['success'] === true;
}

/** GET /{message}: the platform's response. @throws PlatformError */
export const getMessage = (access: GraphAccess, messageId: string): Promise<JsonObject> =>
  callGraph(access, { method: 'GET', path: [messageId] });

function toPayload(message: OutgoingMessage): JsonObject {
  switch (message.type) {
    case 'text':
      return {
        type: 'text',
        text: { preview_url: message.previewUrl, body: message.body },
        ...toExtras(message),
      };
    case 'buttons':
    case 'list':
    case 'cta_url':
    case 'location_request':
      return toInteractive(message);
    case 'location':
    case 'contacts':
    case 'sticker':
    case 'reaction':
      return toContent(message);
    case 'media': {
      const { mediaType, source, caption, filename } = message;
      const media: JsonObject = { ...source };
      if (caption !== undefined) media['caption'] = caption;
      if (filename !== undefined) media['filename'] = filename;
      return { type: mediaType, [mediaType]: media };
    }
    case 'template': {
      const { name, language } = message;
      const components = toTemplateComponents(message.values, message.quickReplies);
      const template: JsonObject = { name, language: { code: language } };
      return {
        type: 'template',
        template: components.length > 0 ? { ...template, components } : template,
        ...toExtras(message),
      };
    }
  }
}
