/**
 * A JSON number whose digits a JavaScript number would change (`12345678901234567890`, `1.10`, `1e5`, `-0`). `source` is its
 * original text, which `JSON.stringify` writes back.
 */
export class NumberLiteral {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  toJSON(): unknown {
    return rawJson === undefined ? Number(this.source) : rawJson(this.source);
  }
}

/** Any JSON value; numbers that a JavaScript number cannot write back are {@link NumberLiteral}. */
export type JsonValue = null | boolean | number | string | NumberLiteral | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue };

/** True for `{…}`: not for null, an array or a {@link NumberLiteral}. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberLiteral)
  );
}

/** The value with `change` applied to its texts, keys and numbers; a number that it changes becomes a text. */
export function mapTexts(value: JsonValue, change: (text: string) => string): JsonValue {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number' || value instanceof NumberLiteral) {
    const changed = change(String(value));
    return changed === String(value) ? value : changed;
  }
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [change(key), mapTexts(each, change)]),
  );
}

// Not yet in TypeScript's libraries; in Node since 21. Older browsers fall back to a plain number.
const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;
