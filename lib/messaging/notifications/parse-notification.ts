// Notifications of the platform: `{entry:[{id, time, changes:[{field, value}]}]}`, batched, at least once, in any order.
// Nothing is dropped: unknown parts become `other` changes with the reason.
import * as z from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { objectOf, text } from '#lib/messaging/platform-fields.ts';
import { codeWords, limitWords, qualityWords } from '#lib/messaging/schema/number-words.ts';
import { toText } from '#lib/variables/to-text.ts';
import type { Change, TemplateChange } from './notification-types.ts';
import {
  contactsSchema,
  fingerprintOf,
  MAX_REASON_CHARACTERS,
  type Origin,
  otherChange,
} from './other-change.ts';
import { isEchoField, parseEcho, parseMessage, parsePreference, parseStatus } from './parse-changes.ts';
import { readId, readList, readObject } from './read-field.ts';

/** Known properties of `value` in the field `messages` that are not read here. */
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

/** All changes of a notification, in order; at least one, for any JSON. */
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
  const listed = readList(value['contacts']);
  // Most statuses come without.
  const origin = { ...outer, contacts: listed.length > 0 ? contactsSchema.parse(listed) : [] };
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

type Describe = (value: JsonObject) => (JsonValue | undefined)[];

const inWords = (code: JsonValue | undefined, words: (code: string) => string): string => {
  const text = toText(code);
  return text === '' ? '' : words(text).toLowerCase();
};

/** Summaries of fields that workflows cannot subscribe to: their most important properties. */
const FIELDS: Readonly<Record<string, { subject: string; says: Describe }>> = {
  account_update: {
    subject: 'The business account changed',
    says: (value) => [
      inWords(value['event'], codeWords),
      inWords(readObject(value['violation_info'])['violation_type'], codeWords),
      inWords(readObject(value['ban_info'])['waba_ban_state'], codeWords),
    ],
  },
  account_alerts: {
    subject: 'The platform alerts',
    says: (value) => {
      const alert = readObject(value['alert_info']);
      return [
        inWords(alert['alert_severity'], codeWords),
        inWords(alert['alert_type'], codeWords),
        alert['alert_description'],
      ];
    },
  },
  account_review_update: {
    subject: 'The business account was reviewed',
    says: (value) => [inWords(value['decision'], codeWords)],
  },
  security: { subject: 'A security setting changed', says: (value) => [inWords(value['event'], codeWords)] },
  phone_number_quality_update: {
    subject: 'The phone number changed',
    says: (value) => [
      inWords(value['event'], codeWords),
      inWords(value['max_daily_conversations_per_business'] ?? value['current_limit'], limitWords),
    ],
  },
  phone_number_name_update: {
    subject: 'The name of the phone number was reviewed',
    says: (value) => [inWords(value['decision'], codeWords), value['requested_verified_name']],
  },
  business_capability_update: {
    subject: 'What the business may send changed',
    says: (value) => [
      inWords(
        value['max_daily_conversations_per_business'] ?? value['max_daily_conversation_per_phone'],
        limitWords,
      ),
    ],
  },
  message_template_quality_update: {
    subject: 'The quality of a message template changed',
    says: (value) => [value['message_template_name'], inWords(value['new_quality_score'], qualityWords)],
  },
  template_category_update: {
    subject: 'The category of a message template changes',
    says: (value) => {
      const upcoming = value['correct_category'];
      const before = inWords(upcoming ? value['new_category'] : value['previous_category'], codeWords);
      const now = inWords(upcoming ?? value['new_category'], codeWords);
      return [value['message_template_name'], before === '' ? `to ${now}` : `from ${before} to ${now}`];
    },
  },
};

/** A sentence about a known field that is only recorded; undefined: the field is unknown. */
function describeField(field: string, value: JsonObject): string | undefined {
  if (!Object.hasOwn(FIELDS, field)) return undefined;
  const { subject, says } = FIELDS[field] as (typeof FIELDS)[string];
  const parts = says(value)
    .map((part) => toText(part))
    .filter(Boolean);
  return parts.length === 0 ? `${subject}.` : `${subject}: ${parts.join(', ')}.`;
}
