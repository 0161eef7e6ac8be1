import type { AppError } from '#lib/core/errors.ts';
import type { WebhookRequest } from '../types.ts';
import type { CallerRules } from './caller-rules.ts';

/** A body as it arrived: its bytes, or a function that reads them from where they are stored. */
export type GivenBody = Uint8Array | (() => AsyncIterable<Uint8Array>);

/**
 * Checks one request. Cached rules may be half a minute old: before a request is refused, they are read again, so that a
 * check that was just published, with the secret its caller uses, counts.
 */
export class CallerGate {
  readonly #request: WebhookRequest;
  readonly #refresh: () => Promise<CallerRules | undefined>;
  readonly #now: Date;
  #isFresh = false;
  #rules: CallerRules | undefined;
  #body: GivenBody | undefined;

  constructor(
    request: WebhookRequest,
    rules: CallerRules,
    { refresh, now }: { refresh: () => Promise<CallerRules | undefined>; now: Date },
  ) {
    this.#request = request;
    this.#rules = rules;
    this.#refresh = refresh;
    this.#now = now;
  }

  get rules(): CallerRules | undefined {
    return this.#rules;
  }

  get acceptsForms(): boolean {
    return this.#rules?.acceptsForms === true;
  }

  get storesFiles(): boolean {
    return this.#rules?.storesFiles === true;
  }

  /** The body, once it was checked. */
  get body(): GivenBody | undefined {
    return this.#body;
  }

  /** Whether the caller may send a body; undefined when it may. */
  checkRequest(): Promise<AppError | undefined> {
    return this.#check();
  }

  /** Whether the body is really the caller's; undefined when it is. */
  checkBody(body: GivenBody): Promise<AppError | undefined> {
    this.#body = body;
    return this.#check();
  }

  async #check(): Promise<AppError | undefined> {
    const refusal = await checkCaller(this.#rules, this.#request, this.#body, this.#now);
    if (!refusal || this.#isFresh) return refusal;
    this.#isFresh = true;
    this.#rules = await this.#refresh();
    return checkCaller(this.#rules, this.#request, this.#body, this.#now);
  }
}

/** Checks a request against rules; its body only when given. */
export function checkCaller(
  rules: CallerRules | undefined,
  request: WebhookRequest,
  body: GivenBody | undefined,
  now: Date,
): AppError | undefined | Promise<AppError | undefined> {
  const refusal = rules?.checkRequest(request);
  if (refusal || body === undefined) return refusal;
  return typeof body === 'function'
    ? rules?.checkChunks?.(request.headers, body(), now)
    : rules?.checkBytes?.(request.headers, body, now);
}
