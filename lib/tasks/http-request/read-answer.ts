import { GuardedRequestError, type GuardedRequestErrorKind } from '#lib/core/http/guarded-request-error.ts';
import type { GuardedResponse } from '#lib/core/http/guarded-request.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { JsonSyntaxError } from '#lib/core/json/read-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { type RetryAdvice, TaskError } from '#lib/engine/task-executor.ts';
import type { BuiltRequest } from './build-request.ts';
import type { HttpRequestSettings } from './definition.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b|^text\/json\b/i;
const CHARSET = /charset="?([\w:.-]+)/i;

/** The body for the output: JSON parsed with all digits, other text unchanged, an empty body as null. */
export function readBody(bytes: Buffer, contentType: string | undefined): JsonValue {
  if (bytes.length === 0) return null;
  const text = decode(bytes, contentType);
  if (!JSON_TYPE.test(contentType ?? '')) return text;
  try {
    return parseJson(text);
  } catch (error) {
    // It is declared as JSON, but is not.
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}

function decode(bytes: Buffer, contentType: string | undefined): string {
  const charset = CHARSET.exec(contentType ?? '')?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Seconds of a `Retry-After`: a count or a date (RFC 9110, 10.2.3); undefined for anything else. */
function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

// How a response, or its absence, fails the task, and whether a retry makes sense.

const SHOWN_CHARACTERS = 2000;
/** A retry would have the same outcome. */
const LASTING: readonly GuardedRequestErrorKind[] = [
  'invalid_url',
  'invalid_header',
  'refused_address',
  'invalid_response',
  'compressed_response',
  'too_large',
  'too_many_redirects',
];
const FAILS_FROM: Record<HttpRequestSettings['fail_on_status'], number> = {
  '400_and_up': 400,
  '500_and_up': 500,
  never: Number.POSITIVE_INFINITY,
};

/** A request without a response. One that may have taken effect is retried only where it is repeatable. */
export function toTaskError(error: unknown, { method, isRepeatable }: BuiltRequest): unknown {
  if (!(error instanceof GuardedRequestError)) return error;
  const { kind, message, bytesSent } = error;
  if (LASTING.includes(kind)) return new TaskError(kind, message, { cause: error });
  if (bytesSent && !isRepeatable) {
    const unknown = `${message} The ${method} may or may not have been carried out.`;
    return new TaskError(kind, unknown, { outcomeUnknown: true, cause: error });
  }
  return new TaskError(kind, message, { retry: { kind: 'backoff' }, cause: error });
}

/** @throws TaskError `http_status` for a status that counts as a failure by the settings. */
export function assertStatus(
  response: GuardedResponse,
  request: BuiltRequest,
  failOnStatus: HttpRequestSettings['fail_on_status'],
  now: Date,
): void {
  const { status, headers, body, finalUrl } = response;
  if (status < FAILS_FROM[failOnStatus]) return;
  const excerpt = body.subarray(0, SHOWN_CHARACTERS).toString('utf8');
  const said = excerpt.trim() === '' ? '' : `: ${excerpt.trim().slice(0, 200)}`;
  const message = `${new URL(finalUrl).host} answered ${status}${said}`;
  const details = { status, body: excerpt };
  // A gateway that lost its server (502, 504) does not know what that server did.
  const outcomeUnknown = (status === 502 || status === 504) && !request.isRepeatable;
  throw new TaskError('http_status', message, {
    details,
    outcomeUnknown,
    retry: retryOf(status, headers['retry-after'], now),
  });
}

function retryOf(status: number, retryAfter: string | undefined, now: Date): RetryAdvice {
  if (status !== 429 && status < 500) return { kind: 'never' };
  const seconds = status === 429 || status === 503 ? readRetryAfter(retryAfter, now) : undefined;
  return seconds === undefined ? { kind: 'backoff' } : { kind: 'after', seconds };
}
