// Parts of several kinds of messages.
import type { JsonObject } from '#lib/core/json/value.ts';
import { isMediaId } from './ids.ts';

export type MediaType = 'image' | 'video' | 'document' | 'audio';

/** The location of a file: exactly one of the two. */
export type MediaSource = { link: string } | { id: string };

/** A file by the id of an uploaded one, else by its URL. */
export const toMediaSource = (value: string): MediaSource =>
  isMediaId(value) ? { id: value } : { link: value };

/** The header of a message. */
export type HeaderValue =
  | { type: 'text'; text: string }
  | { type: Exclude<MediaType, 'audio'>; source: MediaSource };

/** In the form of template parameters and interactive headers. */
export const toHeader = (header: HeaderValue): JsonObject =>
  header.type === 'text' ? { ...header } : { type: header.type, [header.type]: { ...header.source } };

/** Optional parts of a message of any kind. */
export interface MessageExtras {
  /** The message that is quoted above it. */
  replyTo?: string | undefined;
  /** Returned with its statuses; at most 512 characters. */
  callbackData?: string | undefined;
}

export const toExtras = ({ replyTo, callbackData }: MessageExtras): JsonObject => ({
  ...(replyTo === undefined ? {} : { context: { message_id: replyTo } }),
  ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
});

// Messages without text: a location, contacts, a sticker, a reaction.

export interface ContactCard {
  name: string;
  phones: readonly string[];
  emails: readonly string[];
  /** Empty: none. */
  organization: string;
}

export type ContentMessage =
  | ({ type: 'location'; latitude: number; longitude: number; name: string; address: string } & MessageExtras)
  | ({ type: 'contacts'; contacts: readonly ContactCard[] } & MessageExtras)
  | ({ type: 'sticker'; source: MediaSource } & MessageExtras)
  /** Without an emoji the reaction is removed. It cannot quote: it belongs to its message. */
  | { type: 'reaction'; messageId: string; emoji: string };

/** The body of the call, without its recipient. */
export function toContent(message: ContentMessage): JsonObject {
  switch (message.type) {
    case 'location': {
      const { latitude, longitude, name, address } = message;
      const place: JsonObject = { latitude, longitude };
      if (name !== '') place['name'] = name;
      if (address !== '') place['address'] = address;
      return { type: 'location', location: place, ...toExtras(message) };
    }
    case 'contacts':
      return { type: 'contacts', contacts: message.contacts.map(toContact), ...toExtras(message) };
    case 'sticker':
      return { type: 'sticker', sticker: { ...message.source }, ...toExtras(message) };
    case 'reaction': {
      const { messageId, emoji } = message;
      return { type: 'reaction', reaction: { message_id: messageId, emoji } };
    }
  }
}

/** The platform requires a part of the name besides the full one. */
function toContact({ name, phones, emails, organization }: ContactCard): JsonObject {
  return {
    name: { formatted_name: name, first_name: name },
    ...(phones.length === 0 ? {} : { phones: phones.map((phone) => ({ phone, type: 'CELL' })) }),
    ...(emails.length === 0 ? {} : { emails: emails.map((email) => ({ email, type: 'WORK' })) }),
    ...(organization === '' ? {} : { org: { company: organization } }),
  };
}
