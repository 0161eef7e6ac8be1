// The sealed challenge for a passkey, in an HttpOnly cookie.
import type { Settings } from '#lib/core/env.ts';
import { PASSKEY_CHALLENGE_SECONDS } from './passkey-names.ts';

export const PASSKEY_COOKIE = 'passkey-challenge';

/** Options of the cookie. */
export const passkeyCookieOptions = ({ BASE_URL }: Pick<Settings, 'BASE_URL'>) => ({
  path: '/api/auth/callback',
  maxAge: PASSKEY_CHALLENGE_SECONDS,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: BASE_URL.startsWith('https:'),
});

/** @param cookieHeader the request's `Cookie` @returns empty where there is none */
export const readPasskeyCookie = (cookieHeader: string): string =>
  new RegExp(`(?:^|;)\\s*${PASSKEY_COOKIE}=([\\w.-]+)`).exec(cookieHeader)?.[1] ?? '';
