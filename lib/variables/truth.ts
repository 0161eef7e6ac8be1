import { type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';

/** Handlebars' `if`: false, null, missing, empty text, empty list and zero are false. */
export function isTrue(value: JsonValue | undefined): boolean {
  return !isEmpty(value) && value !== 0 && !(value instanceof NumberLiteral && Number(value.source) === 0);
}

/** Handlebars' `isEmpty`: zero is something. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false || value === '';
}
