import * as z from 'zod';
import { field } from '#lib/messaging/platform-fields.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import {
  MESSAGE_STATUSES,
  type StatusError,
  type StatusPricing,
} from '#lib/messaging/schema/message-status-types.ts';
import type { OtherChange, StatusChange } from './notification-types.ts';
import { type Origin, otherChange } from './other-change.ts';
import { id, instant, readId, readObject, readObjects } from './read-field.ts';

const TOLD = MESSAGE_STATUSES.filter((status) => status !== 'accepted');

const statusSchema = z.object({
  id,
  status: id,
  timestamp: instant,
  recipient_id: id,
  recipient_user_id: id,
  recipient_participant_id: id,
  errors: field(readStatusErrors),
  pricing: field(readPricing),
});

/** One element of `statuses`; one that cannot be recorded is only kept. */
export function parseStatus(origin: Origin, raw: JsonValue): StatusChange | OtherChange {
  if (!isJsonObject(raw)) return otherChange(origin, raw, 'The status is not an object.');
  const told = statusSchema.parse(raw);
  const { id: messageId, timestamp: at, recipient_participant_id: participant } = told;
  const status = TOLD.find((each) => each === told.status);
  if (messageId === '') return otherChange(origin, raw, 'The status has no message id.');
  if (!status) return otherChange(origin, raw, `The status “${told.status}” is unknown.`);
  if (!at) return otherChange(origin, raw, 'The status has no time.');
  return {
    kind: 'status',
    // In a group each participant has its own.
    key: `status:${messageId}:${status}${participant === '' ? '' : `:${participant}`}`,
    businessAccountId: origin.businessAccountId,
    raw,
    messageId,
    phoneNumberId: readId(origin.metadata['phone_number_id']),
    recipient: told.recipient_id || told.recipient_user_id || participant,
    // Of a group it is the group's id.
    number: participant === '' ? told.recipient_id : '',
    userId: participant === '' ? told.recipient_user_id : '',
    isOfGroup: participant !== '',
    status,
    at,
    errors: told.errors,
    pricing: told.pricing,
  };
}

/** `pricing:{billable, pricing_model, type, category}`; null: missing. */
function readPricing(value: JsonValue | undefined): StatusPricing | null {
  const { category, type } = readObject(value);
  const pricing = { category: readId(category), type: readId(type) };
  return pricing.category === '' && pricing.type === '' ? null : pricing;
}

/** `errors:[{code, title, message, error_data:{details}}]`, as statuses carry them. */
function readStatusErrors(value: JsonValue | undefined): StatusError[] {
  return readObjects(value).map((error) => ({
    code: Number(toText(error['code'])) || 0,
    ...(typeof error['title'] === 'string' ? { title: storable(error['title']) } : {}),
    ...(typeof error['message'] === 'string' ? { message: storable(error['message']) } : {}),
    ...(error['error_data'] === undefined ? {} : { error_data: storable(error['error_data']) }),
  }));
}

/** Without what PostgreSQL cannot hold in JSON that it works on: U+0000, and numbers beyond a double's range. */
const storable = <Value extends JsonValue>(value: Value): Value =>
  JSON.parse(stringifyJson(value), (_key, each: unknown) => {
    if (typeof each === 'string') return each.replaceAll('\0', '\ufffd');
    return typeof each === 'number' && !Number.isFinite(each) ? null : each;
  }) as Value;
