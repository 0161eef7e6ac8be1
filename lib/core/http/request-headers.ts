import { validateHeaderName, validateHeaderValue } from 'node:http';
import { SECRET_NAME } from '#lib/core/secret-names.ts';
import { GuardedRequestError } from './guarded-request-error.ts';
import { isOwnHeader } from './own-headers.ts';

const BODY_HEADER = /^content-/;

/**
 * Headers by their lower-case names, all of them valid.
 * @throws GuardedRequestError `invalid_header`, which names the header
 */
export function readHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const problem = findHeaderProblem(name, value);
    if (problem !== undefined) throw new GuardedRequestError('invalid_header', problem);
    read[name.toLowerCase()] = value;
  }
  return read;
}

/** Why a header cannot be sent; undefined when it can. */
function findHeaderProblem(name: string, value: string): string | undefined {
  try {
    validateHeaderName(name);
  } catch {
    return `"${name}" cannot be a header's name: use letters, digits and hyphens.`;
  }
  if (isOwnHeader(name)) return `The header "${name}" is set by Patchbay itself: remove it.`;
  try {
    validateHeaderValue(name, value);
  } catch {
    return `The value of the header "${name}" has a character that is not allowed in headers, such as a line break.`;
  }
  return undefined;
}

/** Without the headers of a body that is no longer sent. */
export const withoutBodyHeaders = (headers: Record<string, string>): Record<string, string> =>
  keep(headers, (name) => !BODY_HEADER.test(name));

/** Without headers that could hold a secret, for a redirect to another site. */
export const withoutSecrets = (headers: Record<string, string>): Record<string, string> =>
  keep(headers, (name) => !SECRET_NAME.test(name));

const keep = (headers: Record<string, string>, isKept: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));

/** The error for a compressed body, which is not read. */
export const ENCODING_PROBLEM = 'Content-Encoding is not supported: send the body as it is.';

/** Whether the body has no content coding (RFC 9110, 8.4). */
export const isIdentity = (encoding: string | null | undefined): boolean =>
  !encoding?.trim() || encoding.trim().toLowerCase() === 'identity';

/** The type of a `Content-Type` header without its parameters, in lower case; undefined where there is none. */
export const mediaTypeOf = (header: string | null | undefined): string | undefined =>
  header?.split(';', 1)[0]?.trim().toLowerCase();

/** `application/json`, and the types that are written in JSON (RFC 6839, section 3.1). */
export const isJsonType = (type: string): boolean =>
  type === 'application/json' || /^application\/[^\s/]+\+json$/.test(type);
