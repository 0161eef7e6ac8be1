import type { JsonObject } from '#lib/core/json/value.ts';
import { ERROR_KINDS, type ErrorKind, explainToken, type PlatformErrorClass } from './error-table.ts';

export interface PlatformErrorFacts {
  httpStatus?: number | undefined;
  code?: number | undefined;
  subcode?: number | undefined;
  /** The platform's own words. */
  platformMessage?: string | undefined;
  /** `error_data.details` */
  details?: string | undefined;
  fbtraceId?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

/** A call to the platform that did not work, whatever the reason; `kind` says what it means. */
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

  /** What task runs and the API keep of it: code, subcode, details, trace id; never a token. */
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

/** Whether the platform says no to this very call and will again, while the token itself is good. */
export const isLastingRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.meaning.retry === 'never' && error.kind !== 'token';

/**
 * Whether the platform takes no more calls that manage the account this hour. It says that after it has looked at the token:
 * the account is in reach, and nothing is wrong with it.
 */
export const isManagementLimit = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.kind === 'management_limit';
