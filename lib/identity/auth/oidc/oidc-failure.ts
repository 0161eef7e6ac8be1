// Converts openid-client's errors of a failed exchange with the identity provider: the problem for the sign-in page, and
// details for the log. The library's errors contain whole responses with tokens, so that they are never logged.
import * as oauth from 'openid-client';
import { describeCauses } from '#lib/core/errors.ts';
import { problemOfCode, type SignInProblem, SignInProblemError } from '../sign-in-problem.ts';

const PROBLEM_OF_CLAIM: Readonly<Record<string, SignInProblem>> = {
  iss: 'wrong_issuer',
  aud: 'wrong_audience',
  azp: 'wrong_audience',
  nonce: 'interrupted',
  exp: 'expired',
  nbf: 'clock',
};

/** Claims whose absence has a more specific meaning than an invalid token. */
const REQUIRED_CLAIMS = ['aud', 'nonce'];

const UNREACHABLE: ReadonlySet<string | undefined> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_PARSE_ERROR',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
]);

/** The values that openid-client compared, as far as it reports them. */
interface Facts {
  claim?: string;
  claims?: Readonly<Record<string, unknown>>;
  expected?: unknown;
  /** Of the authorization response. */
  parameters?: URLSearchParams;
}

function factsOf(error: oauth.ClientError): Facts {
  const { cause } = error.cause instanceof Error ? error.cause : error;
  return typeof cause === 'object' && cause !== null ? cause : {};
}

/** Our own error, which openid-client wraps; undefined: another one. */
export function findOwnError(error: unknown): SignInProblemError | undefined {
  if (error instanceof SignInProblemError) return error;
  return error instanceof oauth.ClientError ? findOwnError(error.cause) : undefined;
}

/** @param state the expected one; left out where none is compared */
export const toSignInProblem = (error: unknown, state?: string): SignInProblemError =>
  findOwnError(error) ??
  new SignInProblemError(findProblem(error, state), { cause: new Error(describeFailure(error)) });

function findProblem(error: unknown, state: string | undefined): SignInProblem {
  if (error instanceof oauth.ResponseBodyError) return problemOfCode(error.error);
  if (error instanceof oauth.WWWAuthenticateChallengeError) return readChallenge(error.cause[0]);
  if (!(error instanceof oauth.ClientError)) return 'unknown';
  if (UNREACHABLE.has(error.code)) return 'unreachable';
  const { claim, claims, parameters } = factsOf(error);
  if (parameters) return parameters.get('state') === state ? 'wrong_issuer' : 'interrupted';
  const wrong = claim ?? (claims && REQUIRED_CLAIMS.find((name) => claims[name] === undefined));
  if (wrong !== undefined) return PROBLEM_OF_CLAIM[wrong] ?? 'invalid_token';
  return error.code === undefined ? 'unknown' : 'invalid_token';
}

/** A provider may refuse tokens (RFC 6750), and at its token endpoint the client (RFC 6749, 5.2), in the header only. */
function readChallenge(challenge: oauth.WWWAuthenticateChallenge | undefined): SignInProblem {
  const code = challenge?.parameters.error;
  if (code !== undefined) return problemOfCode(code);
  return challenge?.scheme === 'bearer' ? 'invalid_token' : 'client_refused';
}

const MAX_CHARACTERS = 300;
const show = (value: unknown): string => (JSON.stringify(value) ?? 'missing').slice(0, MAX_CHARACTERS);

/** Without tokens. */
export function describeFailure(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError)
    return `${error.error}: ${error.error_description ?? ''}`.slice(0, MAX_CHARACTERS);
  if (!(error instanceof oauth.ClientError)) return describeCauses(error);
  const { cause } = error;
  if (cause instanceof Response) return `answered ${cause.status} (${cause.headers.get('content-type')})`;
  const { claim, claims, expected } = factsOf(error);
  if (claim === undefined) return describeCauses(error);
  return `${describeCauses(cause)}: ${show(claims?.[claim])}${expected === undefined ? '' : `, expected ${show(expected)}`}`;
}
