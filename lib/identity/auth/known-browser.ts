// A browser that an account has signed in from has a signed cookie (OWASP's device cookies). It grants no access: its
// sign-ins are only not slowed down by the failures of others.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isSameSecret } from '#lib/core/crypto/token.ts';
import type { Settings } from '#lib/core/env.ts';
import { forwardedAddress } from '#lib/core/http/caller-address.ts';
import { CALLBACK_PATH, readCookie, setCookie } from './cookies.ts';
import type { BrowserFacts } from './user-sessions.ts';
import Bowser from 'bowser';

type SigningSettings = Pick<Settings, 'AUTH_SECRET' | 'BASE_URL'>;

const YEAR_SECONDS = 31_536_000;
const ID_BYTES = 16;

/** One cookie per account, so that several people can share a browser. @param email lower case */
const cookieName = (email: string): string =>
  `known-browser-${createHash('sha256').update(email).digest('hex').slice(0, 16)}`;

/**
 * The id of the browser, if the account has signed in from it before.
 * @param cookieHeader the request's `Cookie`
 */
export function readKnownBrowser(
  settings: SigningSettings,
  cookieHeader: unknown,
  email: string,
): string | undefined {
  const [id = '', signature = ''] = readCookie(cookieHeader, cookieName(email)).split('.');
  return isSameSecret(Buffer.from(signature, 'base64url'), sign(settings, email, id)) ? id : undefined;
}

/** The `Set-Cookie` for a browser that the account has just signed in from. */
export function knownBrowserCookie(settings: SigningSettings, email: string): string {
  const id = randomBytes(ID_BYTES).toString('base64url');
  const value = `${id}.${sign(settings, email, id).toString('base64url')}`;
  return setCookie(settings, [cookieName(email), value], { path: CALLBACK_PATH, seconds: YEAR_SECONDS });
}

function sign({ AUTH_SECRET }: SigningSettings, email: string, id: string): Buffer {
  if (!AUTH_SECRET) throw new Error('AUTH_SECRET is not set: `npm start` creates one.');
  return createHmac('sha256', AUTH_SECRET)
    .update(JSON.stringify(['known-browser', email, id]))
    .digest();
}

/** The recorded facts about the browser that sent a request. */
export const readBrowser = (headers: Pick<Headers, 'get'>): BrowserFacts => ({
  userAgent: headers.get('user-agent'),
  address: forwardedAddress(headers.get('x-forwarded-for')) ?? null,
});

/**
 * The name of a browser, such as "Chrome on Linux".
 * @param userAgent the request's `User-Agent`; null: none was sent
 */
export function describeBrowser(userAgent: string | null): string {
  const { browser, os } = Bowser.parse(userAgent || 'unknown');
  const name = browser.name || 'Unknown browser';
  return os.name ? `${name} on ${os.name}` : name;
}
