// Why a login at the platform did not connect anything. Addresses carry the code: a page shows no text from its URL.
import { AppError, type ErrorCode } from '#lib/core/errors.ts';

const PROBLEMS = {
  unknown: {
    code: 'invalid_request',
    message:
      'This sign-in was not started here, was already used, or took too long. Start again from Connections.',
  },
  cancelled: { code: 'invalid_request', message: 'The sign-in was cancelled. Nothing was connected.' },
  refused: {
    code: 'invalid_request',
    message: 'The platform refused the sign-in. Start again.',
  },
  wrong_issuer: {
    code: 'invalid_request',
    message: 'The answer came from a different identity provider. Nothing was connected.',
  },
  no_tokens: {
    code: 'upstream_failed',
    message: 'The identity provider returned no access token. Start again; the server log has the details.',
  },
  wrong_account: {
    code: 'conflict',
    message:
      'This login does not reach the business account of the connection. Sign in as someone with the Admin or Editor role on it.',
  },
  failed: {
    code: 'upstream_failed',
    message: 'The sign-in could not be completed. Start again; the server log has the details.',
  },
} as const satisfies Record<string, { code: ErrorCode; message: string }>;

export type LoginProblem = keyof typeof PROBLEMS;

export class LoginError extends AppError {
  readonly problem: LoginProblem;

  /** @param cause for the log: what the platform said. */
  constructor(problem: LoginProblem, cause?: unknown) {
    const { code, message } = PROBLEMS[problem];
    super(code, message, { cause });
    this.problem = problem;
  }
}

/** The words for a code in an address; undefined for anything else. */
export function explainLoginProblem(code: string | string[] | undefined): string | undefined {
  if (typeof code !== 'string' || !Object.hasOwn(PROBLEMS, code)) return undefined;
  return PROBLEMS[code as LoginProblem].message;
}
