import { splitEntries } from './allowed-addresses.ts';

/** Whether a text is `*` or an origin as browsers send it, such as `https://shop.example:8443`. */
export function isOrigin(text: string): boolean {
  if (text === '*') return true;
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && origin === text.toLowerCase();
}

const MAX_AGE_SECONDS = 600;

/**
 * Creates the headers by which a browser lets a website read the response (Fetch standard, "CORS protocol"); none for other
 * origins. Credentials are never allowed.
 */
export function createOriginCheck(text: string): (origin: string | undefined) => Record<string, string> {
  const allowed = new Set(splitEntries(text).map((entry) => entry.toLowerCase()));
  const isForAll = allowed.has('*');
  return (origin) => {
    const vary: Record<string, string> = isForAll ? {} : { Vary: 'Origin' };
    if (origin === undefined || (!isForAll && !allowed.has(origin.toLowerCase()))) return vary;
    return {
      ...vary,
      'Access-Control-Allow-Origin': isForAll ? '*' : origin,
      'Access-Control-Expose-Headers': 'X-Event-Id, Retry-After',
    };
  };
}

/** Headers of the response to an allowed preflight. */
export const preflightHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => ({
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': headers['access-control-request-headers'] ?? 'Content-Type',
  'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
});
