// Signing in with a passkey: next-auth's provider "passkey". The browser sends the passkey's response and, in an HttpOnly
// cookie, the sealed challenge.
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Settings } from '#lib/core/env.ts';
import { CALLBACK_PATH, readCookie, usesHttps } from './cookies.ts';
import { readKnownBrowser } from './known-browser.ts';
import { PASSKEY_CHALLENGE_SECONDS, PASSKEY_PROVIDER_ID } from './provider-names.ts';
import { addressOf } from './sign-in-attempts.ts';
import { toRefusal } from './sign-in-problem.ts';

// The sealed challenge for a passkey, in an HttpOnly cookie.

export const PASSKEY_COOKIE = 'passkey-challenge';

/** Options of the cookie. */
export const passkeyCookieOptions = (settings: Pick<Settings, 'BASE_URL'>) => ({
  path: CALLBACK_PATH,
  maxAge: PASSKEY_CHALLENGE_SECONDS,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: usesHttps(settings),
});

export interface PasskeyAnswer {
  /** The challenge. */
  sealed: string;
  /** JSON from the browser. */
  response: string;
  /** The caller's network address. */
  address: string;
  /** As in `Attempt`, for the account of an email address. */
  browserIdOf: (email: string) => string | undefined;
}

/** Verifies a passkey's response (lib/identity/passkeys). @throws AppError when it is not accepted */
export type FinishPasskey = (answer: PasskeyAnswer) => Promise<{
  id: string;
  email: string;
  passkeyId: string;
}>;

export function passkeyProvider(settings: Settings, finish: FinishPasskey) {
  return CredentialsProvider({
    id: PASSKEY_PROVIDER_ID,
    name: 'Passkey',
    credentials: { response: { type: 'text' } },
    async authorize(given, request) {
      const cookies: unknown = request.headers?.['cookie'];
      try {
        return await finish({
          sealed: readCookie(cookies, PASSKEY_COOKIE),
          response: given?.response ?? '',
          address: addressOf(request.headers?.['x-forwarded-for']),
          browserIdOf: (email) => readKnownBrowser(settings, cookies, email),
        });
      } catch (error) {
        await logRefusal(error);
        throw toRefusal(error);
      }
    },
  });
}

/** Logged for the administrator, for example a counter that went back, or a foreign origin. */
async function logRefusal(error: unknown): Promise<void> {
  const { logger } = await import('#lib/core/log.ts');
  logger.warn({ err: error }, 'Signing in with a passkey failed');
}
