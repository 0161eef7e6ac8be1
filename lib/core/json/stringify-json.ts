import type { JsonValue } from './value.ts';

/**
 * Writes JSON as `JSON.stringify` does, except that a `NumberLiteral` keeps its digits (by its `toJSON`).
 * Lone surrogates are written as `\ud800` escapes, so the text is always valid UTF-8.
 */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value);
}

/** Whether two values are equal as JSON, regardless of the order of keys, which PostgreSQL and browsers change. */
export const isSameJson = (a: unknown, b: unknown): boolean => a === b || stable(a) === stable(b);

const stable = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? '';
