// Fields of the platform's responses and notifications, as zod types that never fail: missing or malformed values count as
// absent, and the rest is kept.
import * as z from 'zod';
import { isJsonObject, type JsonValue } from '#lib/core/json/value.ts';
import { toText } from '#lib/variables/to-text.ts';

/** A field parsed by `read`, which gets undefined for a missing one. */
export const field = <Value>(read: (value: JsonValue | undefined) => Value) => z.transform(read);

/** Any JSON as text; empty for nothing. */
export const text = field(toText);
export const textOrNull = field((value) => toText(value) || null);
export const texts = field((value) => (Array.isArray(value) ? value.map(toText) : []));
/** A non-empty text; undefined for anything else. */
export const words = field((value) => (typeof value === 'string' && value !== '' ? value : undefined));

/** Anything but an object counts as one without fields. */
export function objectOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return field((value) => schema.parse(isJsonObject(value) ? value : {}));
}

/** The elements that are objects; none for anything but a list. */
export function objectsOf<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.object(shape);
  return field((value) =>
    (Array.isArray(value) ? value : []).filter(isJsonObject).map((each) => schema.parse(each)),
  );
}
