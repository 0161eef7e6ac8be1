import * as z from 'zod';
import { text } from '#lib/messaging/platform-fields.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import type { OtherChange, PreferenceChange } from './notification-types.ts';
import { fingerprintOf, type Origin, otherChange } from './other-change.ts';
import { id, instant, readId } from './read-field.ts';

const preferenceSchema = z.object({
  wa_id: id,
  user_id: id,
  category: id,
  value: id,
  detail: text,
  timestamp: instant,
});

/** One element of `user_preferences`; one that does not say who or when is only kept. */
export function parsePreference(origin: Origin, raw: JsonValue): PreferenceChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The preference is not an object.');
  const { wa_id: number, user_id: userId, timestamp: at, ...told } = preferenceSchema.parse(raw);
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
    category: told.category,
    preference: told.value,
    detail: told.detail,
    at,
  };
}
