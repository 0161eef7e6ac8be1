// Separate from parse-json.ts, which the browser also loads.
import { isAscii, isUtf8 } from 'node:buffer';
import { findInvalidUtf8 } from './find-invalid-utf8.ts';
import { JsonSyntaxError } from './json-syntax-error.ts';
import { parseJson } from './parse-json.ts';
import { placeAt } from './text-place.ts';
import type { JsonValue } from './value.ts';

/** As {@link parseJson}, from bytes, which must be UTF-8: otherwise the error names the first bad byte. */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  const buffer = Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isAscii(buffer)) return parseJson(buffer.toString('latin1'));
  if (!isUtf8(buffer)) throw invalidUtf8(buffer);
  return parseJson(buffer.toString('utf8'));
}

function invalidUtf8(buffer: Buffer): JsonSyntaxError {
  const index = findInvalidUtf8(buffer);
  const before = buffer.toString('utf8', 0, index).replace(/^\uFEFF/, '');
  const place = placeAt(before, before.length);
  const byte = (buffer[index] ?? 0).toString(16).padStart(2, '0');
  return new JsonSyntaxError(
    `Byte ${index} (0x${byte}) at line ${place.line}, column ${place.column} is not valid UTF-8: send the text in UTF-8`,
    place,
  );
}
