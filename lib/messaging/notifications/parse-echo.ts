import * as z from 'zod';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { EchoChange, EchoField, OtherChange } from './notification-types.ts';
import { type Origin, otherChange } from './other-change.ts';
import { id, instant, readId } from './read-field.ts';

const ECHO_FIELDS: readonly string[] = [
  'smb_message_echoes',
  'message_echoes',
] satisfies readonly EchoField[];

export const isEchoField = (field: string): field is EchoField => ECHO_FIELDS.includes(field);

const echoSchema = z.object({ id, to: id, to_user_id: id, timestamp: instant });

/** One element of `message_echoes`; one that belongs to no conversation is only kept. */
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
