import { isUtf8 } from 'node:buffer';
import { JsonSyntaxError } from '#lib/core/json/json-syntax-error.ts';
import { parseJsonBytes } from '#lib/core/json/parse-json-bytes.ts';
import type { JsonValue } from '#lib/core/json/value.ts';

export interface ShownBody {
  body: JsonValue;
  body_format: 'json' | 'text' | 'binary' | 'none';
  body_base64?: string;
}

/** A stored body for display: its JSON value with all digits, else its text, else its bytes in base64. */
export function readBody(bytes: Buffer | null): ShownBody {
  if (bytes === null) return { body: null, body_format: 'none' };
  try {
    return { body: parseJsonBytes(bytes), body_format: 'json' };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  if (isUtf8(bytes)) return { body: bytes.toString('utf8'), body_format: 'text' };
  return { body: null, body_format: 'binary', body_base64: bytes.toString('base64') };
}
