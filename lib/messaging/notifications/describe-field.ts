import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';
import { codeWords, limitWords, qualityWords } from '#lib/messaging/schema/number-words.ts';
import { readObject } from './read-field.ts';

type Describe = (value: JsonObject) => (JsonValue | undefined)[];

const inWords = (code: JsonValue | undefined, words: (code: string) => string): string => {
  const text = toText(code);
  return text === '' ? '' : words(text).toLowerCase();
};

/** What the fields that no workflow subscribes to say: the parts that a person wants to read first. */
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

/** A sentence about a field that is understood and only recorded; undefined: the field is unknown. */
export function describeField(field: string, value: JsonObject): string | undefined {
  if (!Object.hasOwn(FIELDS, field)) return undefined;
  const { subject, says } = FIELDS[field] as (typeof FIELDS)[string];
  const parts = says(value)
    .map((part) => toText(part))
    .filter(Boolean);
  return parts.length === 0 ? `${subject}.` : `${subject}: ${parts.join(', ')}.`;
}
