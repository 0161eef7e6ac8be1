import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { MessageChange, OtherChange } from './notification-types.ts';
import { type Origin, otherChange } from './other-change.ts';
import { readId, readInstant, readObject } from './read-field.ts';

/** One element of `messages`; one that cannot be answered or told apart is only kept. */
export function parseMessage(origin: Origin, raw: JsonValue): MessageChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The message is not an object.');
  const messageId = readId(raw['id']);
  const number = readId(raw['from']);
  const fromUserId = readId(raw['from_user_id']);
  const from = number || fromUserId;
  const at = readInstant(raw['timestamp']);
  if (messageId === '') return otherChange(origin, raw, 'The message has no id.');
  if (from === '') return otherChange(origin, raw, 'The message has no sender.');
  if (!at) return otherChange(origin, raw, 'The message has no time.');
  const contact = findContact(origin.contacts, number, fromUserId);
  const profile = readObject(contact?.['profile']);
  return {
    kind: 'message',
    key: `message:${messageId}`,
    businessAccountId: origin.businessAccountId,
    raw,
    messageId,
    phoneNumberId: readId(origin.metadata['phone_number_id']),
    displayPhoneNumber: toText(origin.metadata['display_phone_number']),
    from,
    fromUserId: fromUserId || readId(contact?.['user_id']) || null,
    fromName: toText(profile['name']) || null,
    fromUsername: toText(profile['username']) || null,
    groupId: readId(raw['group_id']) || null,
    at,
  };
}

/** One of the contacts by number or user id. */
const findContact = (
  contacts: readonly JsonObject[],
  number: string,
  userId: string,
): JsonObject | undefined =>
  contacts.find(
    (contact) =>
      (number !== '' && toText(contact['wa_id']) === number) ||
      (userId !== '' && toText(contact['user_id']) === userId),
  );
