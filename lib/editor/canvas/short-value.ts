import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import { withoutSecretIds } from '#lib/secrets/placeholder-format.ts';
import type { JsonValue } from '#lib/core/json/value.ts';

const MAX_CHARACTERS = 40;

/** A value in a few characters, for lists; empty when there is none. */
export function shortValue(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  const line = withoutSecretIds(text).replace(/\s+/g, ' ');
  return line.length > MAX_CHARACTERS ? `${line.slice(0, MAX_CHARACTERS)}…` : line;
}
