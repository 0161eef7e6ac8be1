import { AppError, type ErrorCode } from '#lib/core/errors.ts';

/** The caller did not authenticate as the trigger requires. */
export class CallerRefusal extends AppError {
  /** The value of `WWW-Authenticate`, for HTTP authentication schemes. */
  readonly challenge: string | undefined;

  constructor(code: ErrorCode, message: string, challenge: string | undefined) {
    super(code, message);
    this.challenge = challenge;
  }
}
