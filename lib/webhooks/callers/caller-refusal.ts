import { AppError, type ErrorCode } from '#lib/core/errors.ts';

/** A caller that is not who the trigger expects. */
export class CallerRefusal extends AppError {
  /** The value of `WWW-Authenticate`, where the caller could say who it is by a scheme of HTTP. */
  readonly challenge: string | undefined;

  constructor(code: ErrorCode, message: string, challenge: string | undefined) {
    super(code, message);
    this.challenge = challenge;
  }
}
