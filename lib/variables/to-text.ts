import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';

/**
 * A value inside longer text (docs/variables.md): strings unchanged, numbers with their digits, true/false, objects and
 * arrays as JSON, null and missing as nothing.
 */
export function toText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  if (value instanceof NumberLiteral) return value.source;
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** The decimal digits of a number or of a text that is one; undefined for anything else. */
export function numberSource(value: JsonValue | undefined): string | undefined {
  if (value instanceof NumberLiteral) return value.source;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return undefined;
  const trimmed = value.trim();
  return /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed) ? trimmed.replace(/^\+/, '') : undefined;
}
