// Signing in with a passkey: next-auth's provider "passkey". The browser sends the passkey's response and, in an HttpOnly
// cookie, the sealed challenge.
import CredentialsProvider from 'next-auth/providers/credentials';
import type { Settings } from '#lib/core/env.ts';
import { AppError } from '#lib/core/errors.ts';
import { addressOf } from './address-of.ts';
import { readKnownBrowser } from './known-browser.ts';
import { readPasskeyCookie } from './passkey-cookie.ts';
import { PASSKEY_PROVIDER_ID } from './passkey-names.ts';

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

/** Verifies a passkey's response (lib/identity/passkeys). @throws AppError when it signs nobody in */
export type FinishPasskey = (answer: PasskeyAnswer) => Promise<{
  id: string;
  email: string;
  passkeyId: string;
}>;

/** @param signedIn called with the email address after a sign-in */
export function passkeyProvider(
  settings: Settings,
  finish: FinishPasskey,
  signedIn: (email: string) => void,
) {
  return CredentialsProvider({
    id: PASSKEY_PROVIDER_ID,
    name: 'Passkey',
    credentials: { response: { type: 'text' } },
    async authorize(given, request) {
      const cookie: unknown = request.headers?.['cookie'];
      const cookies = typeof cookie === 'string' ? cookie : '';
      try {
        const user = await finish({
          sealed: readPasskeyCookie(cookies),
          response: given?.response ?? '',
          address: addressOf(request.headers?.['x-forwarded-for']),
          browserIdOf: (email) => readKnownBrowser(settings, cookies, email),
        });
        signedIn(user.email);
        return user;
      } catch (error) {
        await logRefusal(error);
        if (error instanceof AppError) throw new Error(error.message, { cause: error });
        throw new Error('Signing in is not possible right now. Try again in a moment.', { cause: error });
      }
    },
  });
}

/** Logged for the administrator, for example a counter that went back, or a foreign origin. */
async function logRefusal(error: unknown): Promise<void> {
  const { logger } = await import('#lib/core/log.ts');
  logger.warn({ err: error }, 'Signing in with a passkey failed');
}
