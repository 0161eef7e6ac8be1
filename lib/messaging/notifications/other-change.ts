import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { objectOf, objectsOf, textOrNull } from '#lib/messaging/platform-fields.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import type { OtherChange } from './notification-types.ts';
import { id, readId } from './read-field.ts';

/** The sender: `{profile:{name}, wa_id}`, as `value` of the field `messages` lists them. */
export const contactsSchema = objectsOf({
  wa_id: id,
  user_id: id,
  profile: objectOf({ name: textOrNull, username: textOrNull }),
});
export type Contact = z.infer<typeof contactsSchema>[number];

/** The position of a part in a notification. */
export interface Origin {
  businessAccountId: string;
  /** The entry's unparsed time, which is the same in all copies of a notification. */
  time: string;
  field: string;
  metadata: JsonObject;
  contacts: readonly Contact[];
}

export const MAX_REASON_CHARACTERS = 500;

/** A change that is only stored, with the reason. @param isKnown whether its kind is known */
export function otherChange(
  origin: Origin,
  raw: JsonValue,
  reason: string,
  { isKnown }: { isKnown: boolean } = { isKnown: false },
): OtherChange {
  const { businessAccountId, time, field, metadata } = origin;
  return {
    kind: 'other',
    key: `other:${fingerprintOf([businessAccountId, time, field, metadata, reason, raw])}`,
    businessAccountId,
    field,
    phoneNumberId: readId(metadata['phone_number_id']),
    raw,
    isKnown,
    // Text columns cannot contain it.
    reason: reason.replaceAll('\0', '').slice(0, MAX_REASON_CHARACTERS),
  };
}

/** The same for equal JSON. */
export const fingerprintOf = (value: JsonValue): string =>
  createHash('sha256').update(stringifyJson(value)).digest('base64url');
