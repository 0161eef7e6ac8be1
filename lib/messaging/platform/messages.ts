// POST /{phone}/messages: bodies as in the spec's table of endpoints.
import * as z from 'zod';
import type { JsonObject } from '#lib/core/json/value.ts';
import { objectsOf, text } from '#lib/messaging/platform-fields.ts';
import { callGraph, type GraphAccess, lostAnswer } from './graph.ts';
import { isUserId } from './user-id.ts';

export type MediaType = 'image' | 'video' | 'document' | 'audio';

/** Where a file is: exactly one of the two. */
export type MediaSource = { link: string } | { id: string };

export interface TemplateButtonValue {
  /** Place of the button in the template, from 0. */
  index: number;
  text: string;
}

export type TemplateHeaderValue =
  { type: 'text'; text: string } | { type: Exclude<MediaType, 'audio'>; source: MediaSource };

export interface QuestionChoice {
  /** Comes back when it is tapped. */
  id: string;
  title: string;
  description: string;
}

/** Reply buttons, or a list that opens by a button. */
export type QuestionChoices =
  { buttons: readonly QuestionChoice[] } | { list: { button: string; rows: readonly QuestionChoice[] } };

export type OutgoingMessage =
  | {
      type: 'template';
      name: string;
      language: string;
      parameters: readonly string[];
      header?: TemplateHeaderValue | undefined;
      button?: TemplateButtonValue | undefined;
    }
  | { type: 'text'; body: string; previewUrl: boolean; callbackData?: string }
  | ({ type: 'question'; text: string; footer: string; callbackData: string } & QuestionChoices)
  | {
      type: 'media';
      mediaType: MediaType;
      source: MediaSource;
      caption?: string | undefined;
      filename?: string | undefined;
    };

const sentSchema = z.object({ messages: objectsOf({ id: text }) });

/**
 * Sends a message and gives the id that the platform assigned.
 * @param recipient the digits of a number, or a user id. @throws PlatformError
 */
export async function sendMessage(
  access: GraphAccess,
  phoneNumberId: string,
  recipient: string,
  message: OutgoingMessage,
): Promise<string> {
  const to: JsonObject = isUserId(recipient) ? { recipient } : { to: recipient };
  const body = { messaging_product: access.settings.product, ...to, ...toPayload(message) };
  const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'messages'], body });
  const id = sentSchema.parse(answer).messages[0]?.id;
  if (!id) throw lostAnswer(200, 'Its response has no message ID.');
  return id;
}

/** The customer sees a read receipt. @throws PlatformError */
export async function markRead(
  access: GraphAccess,
  phoneNumberId: string,
  messageId: string,
): Promise<boolean> {
  const body = { messaging_product: access.settings.product, status: 'read', message_id: messageId };
  const answer = await callGraph(access, { method: 'POST', path: [phoneNumberId, 'messages'], body });
  return answer['success'] === true;
}

/** GET /{message}: as the platform answers. @throws PlatformError */
export const getMessage = (access: GraphAccess, messageId: string): Promise<JsonObject> =>
  callGraph(access, { method: 'GET', path: [messageId] });

function toPayload(message: OutgoingMessage): JsonObject {
  switch (message.type) {
    case 'text':
      return {
        type: 'text',
        text: { preview_url: message.previewUrl, body: message.body },
        ...(message.callbackData === undefined ? {} : { biz_opaque_callback_data: message.callbackData }),
      };
    case 'question':
      return { ...toInteractive(message), biz_opaque_callback_data: message.callbackData };
    case 'media': {
      const { mediaType, source, caption, filename } = message;
      const media: JsonObject = { ...source };
      if (caption !== undefined) media['caption'] = caption;
      if (filename !== undefined) media['filename'] = filename;
      return { type: mediaType, [mediaType]: media };
    }
    case 'template': {
      const { name, language } = message;
      const components = templateComponents(message);
      const template: JsonObject = { name, language: { code: language } };
      return { type: 'template', template: components.length > 0 ? { ...template, components } : template };
    }
  }
}

function toInteractive(message: Extract<OutgoingMessage, { type: 'question' }>): JsonObject {
  const { text, footer } = message;
  const about = { body: { text }, ...(footer === '' ? {} : { footer: { text: footer } }) };
  if ('buttons' in message) {
    const buttons = message.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } }));
    return { type: 'interactive', interactive: { type: 'button', ...about, action: { buttons } } };
  }
  const rows = message.list.rows.map(({ id, title, description }) => ({
    id,
    title,
    ...(description === '' ? {} : { description }),
  }));
  const action = { button: message.list.button, sections: [{ rows }] };
  return { type: 'interactive', interactive: { type: 'list', ...about, action } };
}

function templateComponents({
  parameters,
  header,
  button,
}: Extract<OutgoingMessage, { type: 'template' }>): JsonObject[] {
  const components: JsonObject[] = [];
  if (header) {
    const parameter: JsonObject =
      header.type === 'text' ? { ...header } : { type: header.type, [header.type]: { ...header.source } };
    components.push({ type: 'header', parameters: [parameter] });
  }
  if (parameters.length > 0) {
    components.push({ type: 'body', parameters: parameters.map((text) => ({ type: 'text', text })) });
  }
  if (button) {
    const { index, text } = button;
    components.push({
      type: 'button',
      sub_type: 'url',
      index: String(index),
      parameters: [{ type: 'text', text }],
    });
  }
  return components;
}
