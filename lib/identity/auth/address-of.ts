import { forwardedAddress } from '#lib/core/http/caller-address.ts';

/** The address that attempts are counted by. @param forwarded the request's `X-Forwarded-For` */
export const addressOf = (forwarded: unknown): string =>
  (typeof forwarded === 'string' ? forwardedAddress(forwarded) : undefined) ?? 'unknown';
