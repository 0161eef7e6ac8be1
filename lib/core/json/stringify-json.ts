import type { JsonValue } from './value.ts';

/**
 * Writes JSON as `JSON.stringify` does, except that a `NumberLiteral` keeps its digits (by its `toJSON`).
 * Lone surrogates are written as `\ud800` escapes, so the text is always valid UTF-8.
 */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value);
}
