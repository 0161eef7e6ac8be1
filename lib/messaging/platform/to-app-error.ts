import { AppError, type ErrorCode } from '#lib/core/errors.ts';
import type { PlatformErrorClass } from './error-table.ts';
import { PlatformError } from './platform-error.ts';

const CODES: Partial<Record<PlatformErrorClass, ErrorCode>> = {
  rate: 'rate_limited',
  management_limit: 'rate_limited',
  not_configured: 'invalid_request',
  parameters: 'invalid_request',
  template_unknown: 'not_found',
  unknown_object: 'not_found',
};

/**
 * A platform's error as callers of the API and screens see it; any other error as it is.
 * @param doing in front of the platform's words, such as "Account discovery failure" (spec, "Errors").
 */
export function toAppError(error: unknown, doing?: string): unknown {
  if (!(error instanceof PlatformError)) return error;
  const { kind, meaning, facts } = error;
  const message = `${doing ? `${doing}: ` : ''}${error.message.replace(/\.$/, '')}. ${meaning.hint}`;
  const { retryAfterSeconds } = facts;
  return new AppError(CODES[kind] ?? 'upstream_failed', message, {
    cause: error,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}
