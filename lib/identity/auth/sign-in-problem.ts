// Why signing in with the identity provider has failed. The sign-in page gets the code and has the texts; details are logged.
import { AppError } from '#lib/core/errors.ts';
import type { Settings } from '#lib/core/env.ts';
import { setCookie } from './cookies.ts';
import { REFUSAL, SIGN_IN_UNAVAILABLE } from './provider-names.ts';

const WORDS = {
  cancelled: 'You cancelled the sign-in at {provider}, or it did not allow it.',
  interrupted:
    'The sign-in was interrupted: it took longer than 15 minutes, was started in another browser or tab, or its link was used twice. Start again.',
  unreachable:
    'Patchbay could not reach {provider}, or did not understand its answer. Try again in a moment. If it stays like this, an owner can check it in Settings → Sign-in.',
  wrong_issuer:
    '{provider} reports another issuer than Patchbay expects. Ask your administrator to correct AUTH_OIDC_ISSUER.',
  client_refused:
    '{provider} does not accept Patchbay’s client ID or secret. Ask your administrator to correct AUTH_OIDC_CLIENT_ID and AUTH_OIDC_CLIENT_SECRET.',
  wrong_audience:
    '{provider} issued a token for another application. Ask your administrator to check AUTH_OIDC_CLIENT_ID.',
  expired:
    'The token from {provider} had already expired. Its clock and the clock of this server probably differ.',
  clock:
    'The token from {provider} is not valid yet. Its clock and the clock of this server probably differ.',
  invalid_token: 'The token from {provider} could not be verified. Start again.',
  email_missing:
    '{provider} did not provide a valid email address. Add one to your account there, and allow Patchbay to see it (scope "email").',
  email_unverified:
    '{provider} has not verified your email address, and an account with this address exists here. Verify it at {provider} first.',
  email_not_confirmed:
    '{provider} does not say whether your email address is verified, and an account with this address exists here. Ask an owner of this installation: they can trust its email addresses in Settings → Sign-in.',
  no_owner: 'This installation has no owner yet. Create the owner’s account with the setup code first.',
  too_many_groups:
    'You are in more groups than {provider} puts into a token, and groups decide who may use Patchbay. Your access did not change. Ask the administrator of {provider} to send only the groups that are assigned to Patchbay.',
  unknown:
    'Signing in with {provider} did not work. Try again, or contact the administrator of this installation.',
} as const;

export type SignInProblem = keyof typeof WORDS;

const isSignInProblem = (code: string | undefined): code is SignInProblem =>
  code !== undefined && Object.hasOwn(WORDS, code);

/** The text of a code; that of `unknown` for anything else. @param provider its name */
export function describeSignInProblem(code: string | undefined, provider: string): string {
  const words = WORDS[isSignInProblem(code) ? code : 'unknown'].replaceAll('{provider}', provider);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A sign-in that Patchbay refuses. */
export class SignInProblemError extends AppError {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, options: { cause?: unknown } = {}) {
    super('forbidden', describeSignInProblem(problem, 'the identity provider'), options);
    this.problem = problem;
  }
}

/** Error codes of providers (RFC 6749, RFC 6750, OpenID Connect Core 3.1.2.6); all others are `unknown`. */
const PROBLEM_OF_CODE: ReadonlyMap<string, SignInProblem> = new Map([
  ['access_denied', 'cancelled'],
  ['login_required', 'cancelled'],
  ['consent_required', 'cancelled'],
  ['interaction_required', 'cancelled'],
  ['invalid_client', 'client_refused'],
  ['unauthorized_client', 'client_refused'],
  ['invalid_grant', 'interrupted'],
  ['invalid_token', 'invalid_token'],
]);

/** The problem of an error code that a provider sends. */
export const problemOfCode = (code: string): SignInProblem => PROBLEM_OF_CODE.get(code) ?? 'unknown';

/** Why a provider sends users back without a code; undefined: it does not. */
export function readRefusal(answer: URLSearchParams): SignInProblem | undefined {
  const code = answer.get('error');
  return code ? problemOfCode(code) : undefined;
}

/** What a provider of next-auth throws, as its message is passed to the form: only those of AppErrors may be in it. */
export const toRefusal = (error: unknown): Error =>
  new Error(error instanceof AppError ? REFUSAL + error.message : SIGN_IN_UNAVAILABLE, { cause: error });

// Passes the reason for a failed sign-in to the sign-in page: next-auth itself only reports that it failed.

export const SIGN_IN_PROBLEM_COOKIE = 'sign-in-problem';
const SECONDS = 60;

/** The `Set-Cookie` for the sign-in page that is shown next. It contains a code, never a text. */
export const signInProblemCookie = (settings: Pick<Settings, 'BASE_URL'>, problem: SignInProblem): string =>
  setCookie(settings, [SIGN_IN_PROBLEM_COOKIE, problem], { path: '/sign-in', seconds: SECONDS });
