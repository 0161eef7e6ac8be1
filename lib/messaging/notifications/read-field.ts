// Parses fields of notifications tolerantly.
import { field } from '#lib/messaging/platform-fields.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { isJsonObject } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';

/** Ids are parts of index keys, which may have 2,700 bytes in total; the platform's have about eighty. */
const MAX_ID_BYTES = 512;

/** A text or number that can be stored as an id; empty for anything else. */
export function readId(value: JsonValue | undefined): string {
  if (typeof value === 'object' && isJsonObject(value)) return '';
  const text = Array.isArray(value) ? '' : toText(value);
  // Characters that PostgreSQL would refuse, or return as another text.
  const isStorable = !text.includes('\0') && text.isWellFormed();
  return isStorable && Buffer.byteLength(text) <= MAX_ID_BYTES ? text : '';
}

/** A property's elements; a value that is not an array counts as its only element. */
export function readList(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export const readObject = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});

export const readObjects = (value: JsonValue | undefined): JsonObject[] =>
  readList(value).filter((element) => isJsonObject(element));

/** Unix seconds. */
export function readInstant(value: JsonValue | undefined): Date | undefined {
  const seconds = Number(toText(value) || Number.NaN);
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : undefined;
}

export const id = field(readId);
export const instant = field(readInstant);

export const toUnixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
