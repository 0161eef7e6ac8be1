// Cookies of signing in, for `Set-Cookie` and `Cookie` headers.
import type { Settings } from '#lib/core/env.ts';

type AddressSettings = Pick<Settings, 'BASE_URL'>;

/** Where next-auth's callbacks are: cookies that only they read. */
export const CALLBACK_PATH = '/api/auth/callback';

/** The time zone of the browser of the first owner, for those callbacks. */
export const ZONE_COOKIE = 'zone';

/** Whether the installation is reached over HTTPS: then cookies are sent over nothing else. */
export const usesHttps = ({ BASE_URL }: AddressSettings): boolean => BASE_URL.startsWith('https:');

export interface CookieScope {
  path: string;
  seconds: number;
}

/** The `Set-Cookie` for a cookie that scripts cannot read. @param value needs no escaping */
export const setCookie = (
  settings: AddressSettings,
  [name, value]: readonly [name: string, value: string],
  { path, seconds }: CookieScope,
): string =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${usesHttps(settings) ? '; Secure' : ''}`;

/** The value of a cookie; empty where there is none. @param header the request's `Cookie` */
export function readCookie(header: unknown, name: string): string {
  if (typeof header !== 'string') return '';
  const prefix = `${name}=`;
  const found = header
    .split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(prefix));
  return found?.slice(prefix.length) ?? '';
}

const SESSION_COOKIE = 'next-auth.session-token';

/** Whether a cookie is next-auth's of a session, which over HTTPS has a prefix, and a suffix when it is split. */
export const isSessionCookie = (name: string): boolean => name.includes(SESSION_COOKIE);
