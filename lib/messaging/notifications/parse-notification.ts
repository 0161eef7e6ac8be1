// Notifications of the platform: `{entry:[{id, time, changes:[{field, value}]}]}`, batched, at least once, in any
// order. Nothing is left out: what is not understood becomes an `other` change that says why.
import * as z from 'zod';
import { objectOf, text } from '#lib/messaging/platform-fields.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change, TemplateChange } from './notification-types.ts';
import { describeField } from './describe-field.ts';
import {
  contactsSchema,
  fingerprintOf,
  MAX_REASON_CHARACTERS,
  type Origin,
  otherChange,
} from './other-change.ts';
import { isEchoField, parseEcho } from './parse-echo.ts';
import { parseMessage } from './parse-message.ts';
import { parsePreference } from './parse-preference.ts';
import { parseStatus } from './parse-status.ts';
import { readId, readList, readObject } from './read-field.ts';

/** What `value` of the field `messages` has, beside what is read here. */
const KNOWN_KEYS = ['messaging_product', 'metadata', 'contacts', 'messages', 'statuses', 'errors'];

const errorSchema = objectOf({
  code: text,
  title: text,
  message: text,
  error_data: objectOf({ details: text }),
});
const templateSchema = z.object({
  message_template_id: text,
  message_template_name: text,
  message_template_language: text,
  event: text,
  reason: text,
});

/** Every change of a notification, in the order of the text; at least one, whatever the JSON is. */
export function parseNotification(body: JsonValue): Change[] {
  const origin: Origin = { businessAccountId: '', time: '', field: '', metadata: {}, contacts: [] };
  const entries = readList(readObject(body)['entry']);
  if (entries.length === 0) return [otherChange(origin, body, 'The notification has no entry.')];
  return entries.flatMap((entry) => {
    const { id, time, changes } = readObject(entry);
    const ofEntry = { ...origin, businessAccountId: readId(id), time: readId(time) };
    const list = readList(changes);
    if (list.length === 0) return [otherChange(ofEntry, entry, 'The entry has no changes.')];
    return list.flatMap((change) => changesOf(ofEntry, change));
  });
}

function changesOf(ofEntry: Origin, change: JsonValue): Change[] {
  const { field: name, value } = readObject(change);
  const field = toText(name).slice(0, MAX_REASON_CHARACTERS);
  const origin = { ...ofEntry, field };
  if (field === '') return [otherChange(origin, change, 'The change has no field.')];
  if (!isJsonObject(value)) return [otherChange(origin, change, `The “${field}” notification has no value.`)];
  const withNumber = { ...origin, metadata: readObject(value['metadata']) };
  if (field === 'messages') return messagesField(withNumber, value);
  if (field === 'user_preferences') return preferencesField(withNumber, value);
  if (isEchoField(field)) return echoesField(withNumber, value);
  if (field === 'message_template_status_update') return [templateOf(value, withNumber)];
  const said = describeField(field, value);
  if (said !== undefined) return [otherChange(withNumber, value, said, { isKnown: true })];
  return [otherChange(withNumber, value, `The field “${field}” is unknown.`)];
}

function messagesField(outer: Origin, value: JsonObject): Change[] {
  const origin = { ...outer, contacts: contactsSchema.parse(readList(value['contacts'])) };
  const unknown = Object.keys(value).filter((key) => !KNOWN_KEYS.includes(key));
  const changes: Change[] = [
    ...readList(value['messages']).map((raw) => parseMessage(origin, raw)),
    ...readList(value['statuses']).map((raw) => parseStatus(origin, raw)),
    ...readList(value['errors']).map((raw) =>
      otherChange(origin, raw, describeError(raw), { isKnown: isJsonObject(raw) }),
    ),
    ...unknown.map((key) =>
      otherChange(origin, { [key]: value[key] ?? null }, `The notification has “${key}”, which is unknown.`),
    ),
  ];
  if (changes.length > 0) return changes;
  return [otherChange(origin, value, 'The notification has no messages, statuses or errors.')];
}

function preferencesField(origin: Origin, value: JsonObject): Change[] {
  const changes = readList(value['user_preferences']).map((raw) => parsePreference(origin, raw));
  if (changes.length > 0) return changes;
  return [otherChange(origin, value, 'The notification has no user preferences.')];
}

function echoesField(outer: Origin, value: JsonObject): Change[] {
  const origin = { ...outer, contacts: contactsSchema.parse(readList(value['contacts'])) };
  const changes = readList(value['message_echoes']).map((raw) => parseEcho(origin, raw));
  if (changes.length > 0) return changes;
  return [otherChange(origin, value, 'The notification has no messages.')];
}

function describeError(error: JsonValue): string {
  const { code, title, message, error_data } = errorSchema.parse(error);
  const said = [code, title, error_data.details || message].filter(Boolean);
  return `The platform reported an error: ${said.join(', ') || 'it has no code'}.`;
}

/** A template can be approved, paused and approved again: only copies of one notification are the same change. */
function templateOf(raw: JsonObject, { businessAccountId, time }: Origin): TemplateChange {
  const template = templateSchema.parse(raw);
  const { reason } = template;
  return {
    kind: 'template',
    key: `template:${fingerprintOf([time, raw])}`,
    businessAccountId,
    raw,
    templateId: template.message_template_id,
    name: template.message_template_name,
    language: template.message_template_language,
    status: template.event,
    reason: reason === '' || reason === 'NONE' ? null : reason,
  };
}
