import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';

const MAX_SHOWN_CHARACTERS = 60;

/** A value as error messages name it: `the text "abc"`, `the number 5`, `nothing`, `an object with 3 fields`. */
export function describeValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : `the text ${shorten(stringifyJson(value))}`;
  if (typeof value === 'boolean') return `the value ${value}`;
  if (Array.isArray(value)) return `a list of ${count(value.length, 'element')}`;
  if (isJsonObject(value)) return `an object with ${count(Object.keys(value).length, 'field')}`;
  return `the number ${toText(value)}`;
}

/**
 * Why a value cannot be used: `"09:00" isn’t a full date and time.`
 * @param field what is empty if nothing is there, such as `duration`
 * @param wanted with its article, such as `a phone number`
 */
export function explainMismatch(field: string, value: JsonValue | undefined, wanted: string): string {
  if (value === undefined || value === null || value === '') return `The ${field} is empty.`;
  const shown = describeValue(value).replace(/^the (text|number|value) /, '');
  return `${shown.charAt(0).toUpperCase()}${shown.slice(1)} isn’t ${wanted}.`;
}

/** `1 item`, `3 items`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…"` : text;
