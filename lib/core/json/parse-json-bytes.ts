// Separate from parse-json.ts, which the browser also loads.
import { isAscii, isUtf8 } from 'node:buffer';
import { JsonSyntaxError, placeAt } from './read-json.ts';
import { parseJson } from './parse-json.ts';
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

/** The index of the first byte that is not part of valid UTF-8 (RFC 3629), or -1. Slow; for error messages. */
export function findInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return -1;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const second = bytes[at + 1] ?? 0;
  // Overlong forms, surrogates and code points beyond U+10FFFF are recognized by the second byte.
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  if (second < lowest || second > highest) return 0;
  for (let offset = 2; offset < length; offset++) {
    if (((bytes[at + offset] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
