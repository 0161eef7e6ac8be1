import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { MessageChange, OtherChange } from './notification-types.ts';
import { type Contact, type Origin, otherChange } from './other-change.ts';
import { id, instant, readId, readObject } from './read-field.ts';

const messageSchema = z.object({ id, from: id, from_user_id: id, group_id: id, timestamp: instant });

/** One element of `messages`; one that cannot be answered or told apart is only kept. */
export function parseMessage(origin: Origin, raw: JsonValue): MessageChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The message is not an object.');
  const message = messageSchema.parse(raw);
  const { id: messageId, timestamp: at } = message;
  const { number, userId: fromUserId } = readSender(raw, message);
  const from = number || fromUserId;
  if (messageId === '') return otherChange(origin, raw, 'The message has no id.');
  if (from === '') return otherChange(origin, raw, 'The message has no sender.');
  if (!at) return otherChange(origin, raw, 'The message has no time.');
  const contact = findContact(origin.contacts, number, fromUserId);
  return {
    kind: 'message',
    key: `message:${messageId}`,
    businessAccountId: origin.businessAccountId,
    raw,
    messageId,
    phoneNumberId: readId(origin.metadata['phone_number_id']),
    displayPhoneNumber: toText(origin.metadata['display_phone_number']),
    from,
    number: number || contact?.wa_id || '',
    fromUserId: fromUserId || contact?.user_id || null,
    fromName: contact?.profile.name ?? null,
    fromUsername: contact?.profile.username ?? null,
    groupId: message.group_id || null,
    at,
  };
}

/**
 * Of a `system` message the customer as they were until now: `previous_user_id` (since 2026-08) has their user id. Where only
 * the user id has changed, there may be no `from`.
 */
function readSender(
  raw: JsonObject,
  { from, from_user_id: fromUserId }: z.infer<typeof messageSchema>,
): { number: string; userId: string } {
  if (raw['type'] !== 'system') return { number: from, userId: fromUserId };
  const { type, wa_id: number, previous_user_id: previous } = readObject(raw['system']);
  const keptNumber = type === 'user_changed_user_id' ? readId(number) : '';
  return { number: from || keptNumber, userId: readId(previous) || fromUserId };
}

/** One of the contacts by number or user id. */
const findContact = (contacts: readonly Contact[], number: string, userId: string): Contact | undefined =>
  contacts.find(
    ({ wa_id, user_id }) => (number !== '' && wa_id === number) || (userId !== '' && user_id === userId),
  );
