import { isJsonObject, type JsonValue, NumberLiteral } from '#lib/core/json/value.ts';

/** One step down: an own property of an object, an index or `length` of an array, nothing of anything else. */
export function lookUp(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (Array.isArray(value)) {
    if (segment === 'length') return value.length;
    return isIndex(segment) ? value[Number(segment)] : undefined;
  }
  return isJsonObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** Steps down from `segments[from]` on. */
export function lookUpPath(
  value: JsonValue | undefined,
  segments: readonly string[],
  from: number,
): JsonValue | undefined {
  let found = value;
  for (let at = from; at < segments.length && found !== undefined; at++)
    found = lookUp(found, segments[at] ?? '');
  return found;
}

/** `0`, `1`, … as an array writes its own keys: no sign, no leading zero. */
export function isIndex(segment: string): boolean {
  return /^(?:0|[1-9]\d{0,9})$/.test(segment);
}

/** Handlebars' `if`: false, null, missing, empty text, empty list and zero are false. */
export function isTrue(value: JsonValue | undefined): boolean {
  return !isEmpty(value) && value !== 0 && !(value instanceof NumberLiteral && Number(value.source) === 0);
}

/** Handlebars' `isEmpty`: zero is something. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false || value === '';
}
