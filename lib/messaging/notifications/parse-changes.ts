import * as z from 'zod';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { text } from '#lib/messaging/platform-fields.ts';
import {
  MESSAGE_STATUSES,
  type StatusError,
  type StatusPricing,
} from '#lib/messaging/schema/message-statuses.ts';
import { toText } from '#lib/variables/to-text.ts';
import type {
  EchoChange,
  EchoField,
  MessageChange,
  OtherChange,
  PreferenceChange,
  StatusChange,
} from './notification-types.ts';
import { type Contact, fingerprintOf, type Origin, otherChange } from './other-change.ts';
import { id, instant, readId, readInstant, readObject, readObjects } from './read-field.ts';

const messageSchema = z.object({ id, from: id, from_user_id: id, group_id: id, timestamp: instant });

/** One element of `messages`; one that cannot be answered or identified is only stored. */
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
 * The customer of a `system` message before the change: `previous_user_id` (since 2026-08) has their user id. Where only the
 * user id has changed, there may be no `from`.
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

const REPORTED = MESSAGE_STATUSES.filter((status) => status !== 'accepted');

/** One element of `statuses`; one that cannot be recorded is only stored. Most changes are statuses: a schema took twice as long. */
export function parseStatus(origin: Origin, raw: JsonValue): StatusChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The status is not an object.');
  const messageId = readId(raw['id']);
  const at = readInstant(raw['timestamp']);
  const participant = readId(raw['recipient_participant_id']);
  const number = readId(raw['recipient_id']);
  const userId = readId(raw['recipient_user_id']);
  const name = readId(raw['status']);
  const status = REPORTED.find((each) => each === name);
  if (messageId === '') return otherChange(origin, raw, 'The status has no message id.');
  if (!status) return otherChange(origin, raw, `The status “${name}” is unknown.`);
  if (!at) return otherChange(origin, raw, 'The status has no time.');
  return {
    kind: 'status',
    // In a group each participant has a separate status.
    key: `status:${messageId}:${status}${participant === '' ? '' : `:${participant}`}`,
    businessAccountId: origin.businessAccountId,
    raw,
    messageId,
    phoneNumberId: readId(origin.metadata['phone_number_id']),
    recipient: number || userId || participant,
    // For a group it is the group's id.
    number: participant === '' ? number : '',
    userId: participant === '' ? userId : '',
    isOfGroup: participant !== '',
    status,
    at,
    errors: readStatusErrors(raw['errors']),
    pricing: readPricing(raw['pricing']),
  };
}

/** `pricing:{billable, pricing_model, type, category}`; null: missing. */
function readPricing(value: JsonValue | undefined): StatusPricing | null {
  const { category, type } = readObject(value);
  const pricing = { category: readId(category), type: readId(type) };
  return pricing.category === '' && pricing.type === '' ? null : pricing;
}

/** `errors:[{code, title, message, error_data:{details}}]`, as in statuses. */
function readStatusErrors(value: JsonValue | undefined): StatusError[] {
  return readObjects(value).map((error) => ({
    code: Number(toText(error['code'])) || 0,
    ...(typeof error['title'] === 'string' ? { title: storable(error['title']) } : {}),
    ...(typeof error['message'] === 'string' ? { message: storable(error['message']) } : {}),
    ...(error['error_data'] === undefined ? {} : { error_data: storable(error['error_data']) }),
  }));
}

/** Without what PostgreSQL's `jsonb` cannot contain: U+0000, and numbers beyond a double's range. */
const storable = <Value extends JsonValue>(value: Value): Value =>
  JSON.parse(stringifyJson(value), (_key, each: unknown) => {
    if (typeof each === 'string') return each.replaceAll('\0', '\ufffd');
    return typeof each === 'number' && !Number.isFinite(each) ? null : each;
  }) as Value;

const preferenceSchema = z.object({
  wa_id: id,
  user_id: id,
  category: id,
  value: id,
  detail: text,
  timestamp: instant,
});

/** One element of `user_preferences`; one without a customer or a time is only stored. */
export function parsePreference(origin: Origin, raw: JsonValue): PreferenceChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The preference is not an object.');
  const { wa_id: number, user_id: userId, timestamp: at, ...reported } = preferenceSchema.parse(raw);
  const from = number || userId;
  if (from === '') return otherChange(origin, raw, 'The preference does not say whose it is.');
  if (!at) return otherChange(origin, raw, 'The preference has no time.');
  const phoneNumberId = readId(origin.metadata['phone_number_id']);
  return {
    kind: 'preference',
    key: `preference:${fingerprintOf([phoneNumberId, raw])}`,
    businessAccountId: origin.businessAccountId,
    raw,
    phoneNumberId,
    from,
    number,
    userId,
    category: reported.category,
    preference: reported.value,
    detail: reported.detail,
    at,
  };
}

const ECHO_FIELDS: readonly string[] = [
  'smb_message_echoes',
  'message_echoes',
] satisfies readonly EchoField[];

export const isEchoField = (field: string): field is EchoField => ECHO_FIELDS.includes(field);

const echoSchema = z.object({ id, to: id, to_user_id: id, timestamp: instant });

/** One element of `message_echoes`; one that belongs to no conversation is only stored. */
export function parseEcho(origin: Origin, raw: JsonValue): EchoChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The message is not an object.');
  const { id: messageId, to: number, to_user_id: userId, timestamp: at } = echoSchema.parse(raw);
  const recipient = number || userId;
  if (messageId === '') return otherChange(origin, raw, 'The message has no id.');
  if (recipient === '') return otherChange(origin, raw, 'The message has no recipient.');
  if (!at) return otherChange(origin, raw, 'The message has no time.');
  return {
    kind: 'echo',
    key: `echo:${messageId}`,
    businessAccountId: origin.businessAccountId,
    raw,
    field: isEchoField(origin.field) ? origin.field : 'message_echoes',
    messageId,
    phoneNumberId: readId(origin.metadata['phone_number_id']),
    displayPhoneNumber: toText(origin.metadata['display_phone_number']),
    recipient,
    number,
    userId,
    at,
  };
}
