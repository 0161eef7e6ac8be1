// Messages that are a thing and not a text: a place, contacts, a sticker, a reaction.
import type { JsonObject } from '#lib/core/json/value.ts';
import { type MediaSource, type MessageExtras, toExtras } from './message-parts.ts';

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
  /** Without an emoji the reaction is removed. It quotes nothing: it belongs to its message. */
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

/** The platform wants a part of the name besides the whole. */
function toContact({ name, phones, emails, organization }: ContactCard): JsonObject {
  return {
    name: { formatted_name: name, first_name: name },
    ...(phones.length === 0 ? {} : { phones: phones.map((phone) => ({ phone, type: 'CELL' })) }),
    ...(emails.length === 0 ? {} : { emails: emails.map((email) => ({ email, type: 'WORK' })) }),
    ...(organization === '' ? {} : { org: { company: organization } }),
  };
}
