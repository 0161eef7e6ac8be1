// Why signing in with the identity provider has failed. The sign-in page gets the code and has the texts; details are logged.
import { AppError } from '#lib/core/errors.ts';

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

/**
 * Messages of openid-client 5 and next-auth 4; the first match counts. Errors of the provider begin with its code (RFC 6749).
 */
const SAYINGS: readonly (readonly [RegExp, SignInProblem])[] = [
  [/^(access_denied|login_required|consent_required|interaction_required)\b/, 'cancelled'],
  [/^(invalid_client|unauthorized_client)\b/, 'client_refused'],
  [/^invalid_grant\b/, 'interrupted'],
  [
    /\b(state|nonce) (mismatch|missing)|checks\.(state|nonce)|cookie was missing|could not be parsed|different provider than/i,
    'interrupted',
  ],
  [/unexpected iss value|\biss (mismatch|missing)|issuer mismatch/, 'wrong_issuer'],
  [/\baud (mismatch|is missing)|missing required JWT property aud|\bazp\b/, 'wrong_audience'],
  [/(id_token|JWT) expired/, 'expired'],
  [/not active yet|issued in the future|too far in the past/, 'clock'],
  [/JWT|id_token|jwks|sub mismatch|\bat_hash\b|\balg\b/, 'invalid_token'],
  [
    /timed out|ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|socket hang up|certificate|expected 200|parse error|JSON|must be configured|must be a valid/i,
    'unreachable',
  ],
];

/** Classifies an error of the sign-in. */
export function readSignInProblem(error: unknown): SignInProblem {
  if (error instanceof SignInProblemError) return error.problem;
  if (!(error instanceof Error)) return 'unknown';
  const code = (error as { code?: unknown }).code;
  const said = `${error.message} ${typeof code === 'string' ? code : ''}`.trim();
  return SAYINGS.find(([pattern]) => pattern.test(said))?.[1] ?? 'unknown';
}
