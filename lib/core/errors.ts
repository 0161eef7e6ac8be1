// One family of errors for the whole product: a closed set of codes and one map to HTTP status.

export interface Problem {
  /** Path such as `tasks[2].settings.url`; empty for the whole input. */
  path: string;
  message: string;
}

const STATUS_BY_CODE = {
  invalid_json: 400,
  body_not_object: 400,
  invalid_request: 400,
  unauthorized: 401,
  invalid_credentials: 401,
  invalid_signature: 401,
  forbidden: 403,
  address_not_allowed: 403,
  not_found: 404,
  unknown_webhook: 404,
  method_not_allowed: 405,
  conflict: 409,
  workflow_not_active: 409,
  duplicate_in_progress: 409,
  gone: 410,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_redirect: 422,
  invalid_response: 422,
  invalid_workflow: 422,
  key_reused: 422,
  rate_limited: 429,
  internal: 500,
  workflow_failed: 500,
  upstream_failed: 502,
  overloaded: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

export const ERROR_CODES = Object.keys(STATUS_BY_CODE) as [ErrorCode, ...ErrorCode[]];

/** HTTP status of an error code (docs/webhooks.md and docs/api.md). */
export const statusOf = (code: ErrorCode): number => STATUS_BY_CODE[code];

/** An error or refusal that is shown to the caller; every other error is logged and shown as `internal` only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { problems?: readonly Problem[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.problems = options.problems ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** For `catch`: null where something does not exist. */
export function nullIfMissing(error: unknown): null {
  if (error instanceof AppError && error.code === 'not_found') return null;
  throw error;
}

/** The messages of an error and of its causes, outermost first, without empty ones. */
function listMessages(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { message, name } = error;
  // Node reports each address that a host has in `errors`.
  const below = listMessages(error instanceof AggregateError ? error.errors[0] : error.cause);
  if (message !== '') return [message, ...below];
  return below.length > 0 ? below : [name];
}

/** Why something failed: the innermost message. `fetch` itself only says that it failed, and has the details in its causes. */
export const reasonOf = (error: unknown): string => listMessages(error).at(-1) ?? String(error);

/** All messages of an error and its causes: "fetch failed (connect ECONNREFUSED 127.0.0.1:9)". */
export function describeCauses(error: unknown): string {
  const messages = listMessages(error);
  return messages.length === 0 ? 'unknown error' : messages.join(' (') + ')'.repeat(messages.length - 1);
}

/** The JSON body of every error response: `{"error":{"code","message","problems"?}}`. */
export function toErrorBody(error: AppError): {
  error: { code: ErrorCode; message: string; problems?: readonly Problem[] };
} {
  const { code, message, problems } = error;
  return { error: problems.length > 0 ? { code, message, problems } : { code, message } };
}

/** A parsed value, or what is wrong with it and how to fix it. */
export type Reading<Value> = { value: Value; problem?: undefined } | { value?: undefined; problem: string };
