// The second step of signing in with a password: next-auth's provider "second-step". Between the steps the browser has a
// cookie with the id of a challenge in the database, and no session.
import CredentialsProvider from 'next-auth/providers/credentials';
import { AppError } from '#lib/core/errors.ts';
import type { Settings } from '#lib/core/env.ts';
import { MAX_CODE_CHARACTERS } from '#lib/identity/members/schema.ts';
import { addressOf } from './sign-in-attempts.ts';
import { CALLBACK_PATH, readCookie, setCookie } from './cookies.ts';
import { readKnownBrowser } from './known-browser.ts';
import { CHALLENGE_SECONDS, SECOND_STEP_PROVIDER_ID, SIGN_IN_EXPIRED } from './provider-names.ts';
import { toRefusal } from './sign-in-problem.ts';

const COOKIE = 'sign-in-step';

/** The `Set-Cookie` for a challenge. @param token null: removes it */
export function challengeCookie(settings: Pick<Settings, 'BASE_URL'>, token: string | null): string {
  return setCookie(settings, [COOKIE, token ?? ''], {
    path: CALLBACK_PATH,
    seconds: token === null ? 0 : CHALLENGE_SECONDS,
  });
}

export interface SecondStep {
  /** Of the challenge. */
  token: string;
  /** Of the app, or a recovery code. */
  code: string;
  /** The caller's network address. */
  address: string;
  /** As in `Attempt`, for the account of an email address. */
  browserIdOf: (email: string) => string | undefined;
}

/** Verifies the second step of accounts (lib/identity/two-factor). */
export interface SecondSteps {
  /**
   * Called after the right password.
   * @returns the token of a challenge; null: the account needs no second step
   */
  start: (userId: string) => Promise<string | null>;
  /** @throws AppError `unauthorized` when the challenge has ended, `invalid_request` for a wrong code, `rate_limited` */
  finish: (step: SecondStep) => Promise<{ id: string; email: string }>;
}

export function secondStepProvider(settings: Settings, finish: SecondSteps['finish']) {
  return CredentialsProvider({
    id: SECOND_STEP_PROVIDER_ID,
    name: 'Second step',
    credentials: { code: { type: 'text' } },
    async authorize(given, request) {
      const cookies: unknown = request.headers?.['cookie'];
      const code = given?.code ?? '';
      if (code.length > MAX_CODE_CHARACTERS) return null;
      try {
        return await finish({
          token: readCookie(cookies, COOKIE),
          code,
          address: addressOf(request.headers?.['x-forwarded-for']),
          browserIdOf: (email) => readKnownBrowser(settings, cookies, email),
        });
      } catch (error) {
        const isExpired = error instanceof AppError && error.code === 'unauthorized';
        throw isExpired ? new Error(SIGN_IN_EXPIRED, { cause: error }) : toRefusal(error);
      }
    },
  });
}
