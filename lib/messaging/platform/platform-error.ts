import { AppError, type ErrorCode } from '#lib/core/errors.ts';
import type { JsonObject, JsonValue } from '#lib/core/json/value.ts';
import { maskSecrets } from '#lib/messaging/mask.ts';
import { field, objectOf, words } from '#lib/messaging/platform-fields.ts';
import {
  classifyError,
  ERROR_KINDS,
  type ErrorKind,
  explainToken,
  type PlatformErrorClass,
} from './error-table.ts';
import type { HttpAnswer } from './exchange.ts';

export interface PlatformErrorFacts {
  httpStatus?: number | undefined;
  code?: number | undefined;
  subcode?: number | undefined;
  /** The platform's own message. */
  platformMessage?: string | undefined;
  /** `error_data.details` */
  details?: string | undefined;
  fbtraceId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** A failed call to the platform; `kind` classifies it. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly kind: PlatformErrorClass;
  readonly facts: PlatformErrorFacts;

  constructor(kind: PlatformErrorClass, facts: PlatformErrorFacts = {}, cause?: unknown) {
    const said = facts.details || facts.platformMessage;
    super(said ? `${ERROR_KINDS[kind].words}: ${said}` : ERROR_KINDS[kind].words, { cause });
    this.kind = kind;
    this.facts = facts;
  }

  get meaning(): ErrorKind {
    const meaning = ERROR_KINDS[this.kind];
    const reason = this.kind === 'token' ? explainToken(this.facts.subcode) : undefined;
    return reason === undefined ? meaning : { ...meaning, hint: `${reason} ${meaning.hint}` };
  }

  /** Its details for task runs and the API: code, subcode, details, trace id; never a token. */
  toDetails(): JsonObject {
    const { httpStatus, code, subcode, platformMessage, details, fbtraceId } = this.facts;
    const known = {
      http_status: httpStatus,
      code,
      subcode,
      platform_message: platformMessage,
      platform_details: details,
      fbtrace_id: fbtraceId,
      hint: this.meaning.hint,
    };
    const present = Object.entries(known).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return { kind: this.kind, ...Object.fromEntries(present) };
  }
}

/** Whether the platform refuses this call permanently, although the token is valid. */
export const isLastingRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.meaning.retry === 'never' && error.kind !== 'token';

/**
 * Whether the hourly limit of management calls is reached. The platform checks the token first, so that the account is
 * accessible.
 */
export const isManagementLimit = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.kind === 'management_limit';

const CODES: Partial<Record<PlatformErrorClass, ErrorCode>> = {
  rate: 'rate_limited',
  management_limit: 'rate_limited',
  not_configured: 'invalid_request',
  parameters: 'invalid_request',
  template_unknown: 'not_found',
  unknown_object: 'not_found',
};

/**
 * An error of the platform for callers of the API and for screens; any other error unchanged. @param doing prefix of the
 * platform's message, such as "Account discovery failure" (spec, "Errors").
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

const number = field((value) => (typeof value === 'number' ? value : undefined));
const errorSchema = objectOf({
  error: objectOf({
    code: number,
    error_subcode: number,
    message: words,
    error_user_msg: words,
    fbtrace_id: words,
    error_data: objectOf({ details: words }),
  }),
});

/**
 * The error of a response: `{error:{message, code, error_subcode, error_data:{details}, fbtrace_id}}`, or anything else. The
 * secrets of the call are removed from its texts.
 */
export function readError(
  answer: Pick<HttpAnswer, 'status' | 'retryAfterSeconds'>,
  body: JsonValue | undefined,
  secrets: readonly string[],
): PlatformError {
  const { error } = errorSchema.parse(body);
  const { status, retryAfterSeconds } = answer;
  const said = (words: string | undefined): string | undefined =>
    words && maskSecrets(secrets.reduce(cutOut, words)).slice(0, 1000);
  const facts: PlatformErrorFacts = {
    httpStatus: status,
    retryAfterSeconds,
    code: error.code,
    subcode: error.error_subcode,
    platformMessage: said(error.message),
    details: said(error.error_data.details ?? error.error_user_msg),
    fbtraceId: said(error.fbtrace_id),
  };
  const kind = isOfProof(facts) ? 'app_secret' : classifyError(status, facts.code, facts.subcode);
  return new PlatformError(kind, facts);
}

/** It has the general code for invalid parameters: only the message differs. */
const isOfProof = ({ code, platformMessage = '', details = '' }: PlatformErrorFacts): boolean =>
  code === 100 && `${platformMessage} ${details}`.includes('appsecret_proof');

const cutOut = (words: string, secret: string): string => words.replaceAll(secret, '[redacted]');
