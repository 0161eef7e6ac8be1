// Messages that customers can send, and their notifications for businesses.
import { EMPTY_MESSAGE, type Media, type Rendered, type SentMediaKind } from '../model.ts';

/** A reply has the id of its message in `repliesTo`. */
export type CustomerContent =
  | { type: 'text'; text: string; repliesTo?: string | null }
  /** A tap on a quick reply of a template. */
  | { type: 'button'; text: string; payload: string; repliesTo: string | null }
  /** A tap on a reply button, or on a row of a list. */
  | {
      type: 'reply';
      from: 'button_reply' | 'list_reply';
      id: string;
      title: string;
      description?: string | undefined;
      repliesTo: string | null;
    }
  | {
      type: 'media';
      kind: SentMediaKind;
      bytes: Buffer;
      mimeType: string;
      caption: string;
      filename: string | null;
    }
  | {
      type: 'location';
      latitude: number;
      longitude: number;
      name?: string | undefined;
      address?: string | undefined;
      repliesTo?: string | null;
    }
  | { type: 'contacts'; name: string; phone: string; wasAsked?: boolean }
  /** An empty emoji removes the reaction. */
  | { type: 'reaction'; messageId: string; emoji: string }
  | {
      type: 'order';
      catalogId: string;
      text: string;
      items: { product_retailer_id: string; quantity: number; item_price: number; currency: string }[];
    }
  /** A form that was filled in. */
  | { type: 'flow'; response: object; repliesTo: string | null }
  | { type: 'edit'; messageId: string; text: string }
  | { type: 'revoke'; messageId: string }
  | { type: 'unsupported'; kind: string };

/** The message on the phone. */
export function renderContent(content: CustomerContent, media: Media | null): Rendered {
  switch (content.type) {
    case 'text':
    case 'button':
      return { ...EMPTY_MESSAGE, text: content.text };
    case 'reply':
      return { ...EMPTY_MESSAGE, text: content.title };
    case 'media': {
      const kind = content.kind === 'sticker' ? 'image' : content.kind;
      return {
        ...EMPTY_MESSAGE,
        text: content.caption,
        media: media && { kind, mediaId: media.id, filename: content.filename },
      };
    }
    case 'location':
      return { ...EMPTY_MESSAGE, text: `📍 ${content.name ?? `${content.latitude}, ${content.longitude}`}` };
    case 'contacts':
      return { ...EMPTY_MESSAGE, text: `👤 ${content.name}` };
    case 'reaction':
      return { ...EMPTY_MESSAGE, text: content.emoji === '' ? 'Took the reaction back' : content.emoji };
    case 'order':
      return { ...EMPTY_MESSAGE, text: content.text, footer: `Order of ${content.items.length} products` };
    case 'flow':
      return { ...EMPTY_MESSAGE, text: 'Form sent' };
    case 'edit':
      return { ...EMPTY_MESSAGE, text: content.text, footer: 'Edited' };
    case 'revoke':
      return { ...EMPTY_MESSAGE, text: 'Deleted a message' };
    case 'unsupported':
      return { ...EMPTY_MESSAGE, text: `Something that businesses do not get: ${content.kind}` };
  }
}

/** `type` and its content, as in `messages` of a notification. @param business the number that it was sent to */
export function payloadOf(
  content: CustomerContent,
  media: Media | null,
  business: string,
): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return { ...contextOf(content.repliesTo, business), type: 'text', text: { body: content.text } };
    case 'button': {
      const { payload, text, repliesTo } = content;
      return { ...contextOf(repliesTo, business), type: 'button', button: { payload, text } };
    }
    case 'reply': {
      const { from, id, title, description } = content;
      const reply = { id, title, ...(description === undefined ? {} : { description }) };
      return {
        ...contextOf(content.repliesTo, business),
        type: 'interactive',
        interactive: { type: from, [from]: reply },
      };
    }
    case 'media':
      return { type: content.kind, [content.kind]: mediaPayload(content, media) };
    case 'location': {
      const { type, repliesTo, ...location } = content;
      return { ...contextOf(repliesTo, business), type, location };
    }
    case 'contacts': {
      const { name, phone, wasAsked } = content;
      const contact = {
        name: { formatted_name: name, first_name: name },
        phones: [{ phone: `+${phone}`, wa_id: phone, type: 'CELL' }],
        ...(wasAsked ? { origin: 'contact_request' } : {}),
      };
      return { type: 'contacts', contacts: [contact] };
    }
    case 'reaction': {
      const { messageId, emoji } = content;
      const reaction = { message_id: messageId, ...(emoji === '' ? {} : { emoji }) };
      return { type: 'reaction', reaction };
    }
    case 'order': {
      const { catalogId, text, items } = content;
      return { type: 'order', order: { catalog_id: catalogId, text, product_items: items } };
    }
    case 'flow': {
      const reply = { name: 'flow', body: 'Sent', response_json: JSON.stringify(content.response) };
      return {
        ...contextOf(content.repliesTo, business),
        type: 'interactive',
        interactive: { type: 'nfm_reply', nfm_reply: reply },
      };
    }
    case 'edit': {
      const message = { type: 'text', text: { body: content.text } };
      return { type: 'edit', edit: { original_message_id: content.messageId, message } };
    }
    case 'revoke':
      return { type: 'revoke', revoke: { original_message_id: content.messageId } };
    case 'unsupported': {
      const details = 'Message type is currently not supported.';
      const error = { code: 131051, title: 'Message type unknown', message: 'Message type unknown' };
      return {
        type: 'unsupported',
        unsupported: { type: content.kind },
        errors: [{ ...error, error_data: { details } }],
      };
    }
  }
}

const contextOf = (repliesTo: string | null | undefined, business: string): object =>
  repliesTo === null || repliesTo === undefined ? {} : { context: { from: business, id: repliesTo } };

function mediaPayload(
  content: Extract<CustomerContent, { type: 'media' }>,
  media: Media | null,
): Record<string, unknown> {
  const { kind, mimeType, caption, filename } = content;
  const isVoice = kind === 'audio' && mimeType.startsWith('audio/ogg');
  return {
    id: media?.id,
    mime_type: isVoice ? 'audio/ogg; codecs=opus' : mimeType,
    sha256: media === null ? undefined : Buffer.from(media.sha256, 'hex').toString('base64'),
    ...(kind === 'audio' ? { voice: isVoice } : {}),
    ...(kind === 'sticker' ? { animated: false } : {}),
    ...(kind === 'document' && filename !== null ? { filename } : {}),
    ...(caption === '' ? {} : { caption }),
  };
}
