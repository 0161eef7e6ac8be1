import { AppError } from '#lib/core/errors.ts';
import { isRefusedForm } from './forms/form-body.ts';
import type { KnownToken, Tokens } from './tokens.ts';
import type { WebhookRequest } from './types.ts';
import type { CallerRules } from './callers/caller-rules.ts';
import type { FindCallerRules } from './callers/find-caller-rules.ts';

/** A body as it arrived: its bytes, or a function that reads them from where they are stored. */
export type GivenBody = Uint8Array | (() => AsyncIterable<Uint8Array>);

export interface TriggerDeps {
  tokens: Tokens;
  findCallerRules: FindCallerRules;
}

/**
 * The trigger that one request calls: its token, and the rules by which it accepts callers. Both are cached for half a minute,
 * and a version may be published while the request is received: what is refused is checked again, once, by the present
 * version, so that a check that was just published, with the secret its caller uses, counts.
 */
export class CalledTrigger {
  readonly #request: WebhookRequest;
  readonly #deps: TriggerDeps;
  readonly #now: Date;
  #token: KnownToken;
  #rules: CallerRules | undefined;
  #isPresent = false;
  #body: GivenBody | undefined;

  private constructor(
    request: WebhookRequest,
    deps: TriggerDeps,
    { token, rules, now }: Found & { now: Date },
  ) {
    this.#request = request;
    this.#deps = deps;
    this.#now = now;
    this.#token = token;
    this.#rules = rules;
  }

  /** @throws AppError `unknown_webhook` */
  static async find(request: WebhookRequest, deps: TriggerDeps, now: Date): Promise<CalledTrigger> {
    const trigger = new CalledTrigger(request, deps, { ...(await find(request, deps)), now });
    if (isRefusedForm(request.headers, trigger.rules)) await trigger.readAgain();
    return trigger;
  }

  get token(): KnownToken {
    return this.#token;
  }

  /** Undefined: anyone with the URL may call, with JSON. */
  get rules(): CallerRules | undefined {
    return this.#rules;
  }

  /**
   * Reads token and rules of the version that is published now.
   * @throws AppError `unknown_webhook` where the URL was replaced in the meantime
   */
  async readAgain(): Promise<void> {
    this.#isPresent = true;
    this.#deps.tokens.forget(this.#request.token);
    const { token, rules } = await find(this.#request, this.#deps);
    this.#token = token;
    this.#rules = rules;
  }

  /** Whether the caller may send a body. @returns why not */
  async checkRequest(): Promise<AppError | undefined> {
    return this.#check();
  }

  /** Whether the body is authentic. @returns why not */
  async checkBody(body: GivenBody): Promise<AppError | undefined> {
    this.#body = body;
    return this.#check();
  }

  /** Checks what is known of the request by the rules that were read last. @returns why it is refused */
  async checkByPresentRules(): Promise<AppError | undefined> {
    const refusal = this.#rules?.checkRequest(this.#request);
    if (refusal || this.#body === undefined) return refusal;
    return typeof this.#body === 'function'
      ? this.#rules?.checkChunks?.(this.#request.headers, this.#body(), this.#now)
      : this.#rules?.checkBytes?.(this.#request.headers, this.#body, this.#now);
  }

  async #check(): Promise<AppError | undefined> {
    if (!this.#rules) return undefined;
    const refusal = await this.checkByPresentRules();
    if (!refusal || this.#isPresent) return refusal;
    await this.readAgain();
    return this.checkByPresentRules();
  }
}

interface Found {
  token: KnownToken;
  rules: CallerRules | undefined;
}

async function find(
  { token: text, kind }: WebhookRequest,
  { tokens, findCallerRules }: TriggerDeps,
): Promise<Found> {
  const token = await tokens.find(text);
  if (!token) throw unknownWebhook();
  const found = findCallerRules(token, kind);
  return { token, rules: found instanceof Promise ? await found : found };
}

export const unknownWebhook = (): AppError =>
  new AppError(
    'unknown_webhook',
    'No webhook exists at this address. Copy the URL from the trigger task again.',
  );
