/** The type of a `Content-Type` header without its parameters, in lower case; undefined where there is none. */
export const mediaTypeOf = (header: string | null | undefined): string | undefined =>
  header?.split(';', 1)[0]?.trim().toLowerCase();

/** `application/json`, and the types that are written in JSON (RFC 6839, section 3.1). */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type);
