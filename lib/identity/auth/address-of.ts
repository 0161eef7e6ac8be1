import { forwardedAddress } from '#lib/core/http/caller-address.ts';

/**
 * Where attempts are counted as coming from.
 * @param forwarded the request's `X-Forwarded-For`
 */
export const addressOf = (forwarded: unknown): string =>
  (typeof forwarded === 'string' ? forwardedAddress(forwarded) : undefined) ?? 'unknown';
