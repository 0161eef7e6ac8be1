import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b|^text\/json\b/i;
const CHARSET = /charset="?([\w:.-]+)/i;

/** The body for the output: JSON read with all its digits, other text as it is, nothing as null. */
export function readBody(bytes: Buffer, contentType: string | undefined): JsonValue {
  if (bytes.length === 0) return null;
  const text = decode(bytes, contentType);
  if (!JSON_TYPE.test(contentType ?? '')) return text;
  try {
    return parseJson(text);
  } catch (error) {
    // It only says that it is JSON.
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}

function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Seconds that a `Retry-After` asks for: a count or a date (RFC 9110, 10.2.3); undefined when it says neither. */
export function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}
