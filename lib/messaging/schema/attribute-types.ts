// Types of what is remembered of customers, and how their values are stored. Without server code.
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { Reading } from '#lib/core/errors.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { explainMismatch } from '#lib/variables/errors.ts';
import { readInstant } from '#lib/variables/formats.ts';
import { toText } from '#lib/variables/to-text.ts';

export const ATTRIBUTE_TYPES = ['text', 'number', 'date', 'yes_no'] as const;
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number];

export const ATTRIBUTE_TYPE_LABELS: Readonly<Record<AttributeType, string>> = {
  text: 'Text',
  number: 'Number',
  date: 'Date',
  yes_no: 'Yes or no',
};

export const MAX_ATTRIBUTE_CHARACTERS = 1000;
export const MAX_ATTRIBUTES = 100;

/** As JSON writes them. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const YES: readonly string[] = ['true', 'yes', '1'];
const NO: readonly string[] = ['false', 'no', '0'];

/**
 * A value as it is stored: a text as it is, a number with all its digits, a date as a day or as an instant of ISO 8601, yes and no
 * as `true` and `false`. Null: there is none, so that the attribute is removed.
 */
export function readAttribute(type: AttributeType, given: JsonValue | undefined): Reading<string | null> {
  const text = toText(given).replaceAll('\0', '');
  const plain = text.trim();
  if (plain === '') return { value: null };
  if (text.length > MAX_ATTRIBUTE_CHARACTERS)
    return { problem: `The value is longer than ${MAX_ATTRIBUTE_CHARACTERS} characters.` };
  const wrong = (what: string) => ({ problem: explainMismatch('value', given, what) });
  switch (type) {
    case 'text':
      return { value: text };
    case 'number':
      return NUMBER.test(plain) ? { value: plain } : wrong('a number, such as 1250.5');
    case 'date': {
      if (DAY.test(plain) && readInstant(plain)) return { value: plain };
      const instant = readInstant(plain);
      return instant ? { value: instant.toISOString() } : wrong('a date, such as 2026-03-31');
    }
    case 'yes_no': {
      const word = plain.toLowerCase();
      if (YES.includes(word)) return { value: 'true' };
      return NO.includes(word) ? { value: 'false' } : wrong('yes or no');
    }
  }
}

/** A stored value as variables and the API have it. */
export function toAttributeValue(type: AttributeType, stored: string): JsonValue {
  return type === 'number' || type === 'yes_no' ? parseJson(stored) : stored;
}
