// Webhooks from several concurrent callers; a caller retries a failed request once.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledged, Load as CheckedLoad } from '../chaos/check.ts';
import type { Workflows } from '../chaos/workflows.ts';

const CALLERS = 8;
const PAUSE_MS = 40;
/** One of this many webhooks sends a message. */
const SEND_EVERY = 8;
/** Delay before a retry where the response has no Retry-After. */
const RETRY_AFTER_MS = 1000;
const PATIENCE_MS = 15_000;

export interface Attempt {
  startedAt: number;
  endedAt: number;
  /** 0: no response. */
  status: number;
  isAcknowledged: boolean;
}

interface Answer {
  status: number;
  eventId: string | undefined;
  retryAfterMs: number;
}

export class Load implements CheckedLoad {
  readonly workflows: Workflows;
  readonly written: readonly string[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly attempts: Attempt[] = [];
  /** Requests whose retry failed, too. */
  readonly uncured: Attempt[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  #callers: Promise<void>[] = [];
  #isOver = false;
  #count = 0;

  constructor(workflows: Workflows) {
    this.workflows = workflows;
  }

  start(): void {
    this.#callers = Array.from({ length: CALLERS }, async () => {
      while (!this.#isOver) {
        await this.#callWithRetry();
        await sleep(PAUSE_MS);
      }
    });
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#callers);
    this.#agent.destroy();
  }

  async #callWithRetry(): Promise<void> {
    const first = await this.#call();
    if (first.attempt.isAcknowledged) return;
    await sleep(first.retryAfterMs);
    const second = await this.#call();
    if (!second.attempt.isAcknowledged) this.uncured.push(second.attempt);
  }

  /** Each attempt has its own order: one whose response was lost may have arrived. */
  async #call(): Promise<{ attempt: Attempt; retryAfterMs: number }> {
    const number = (this.#count += 1);
    const sends = number % SEND_EVERY === 0;
    const { webhook } = sends ? this.workflows.sending : this.workflows.computing;
    const id = sends ? `C-${number}` : String(number);
    // The sandbox treats numbers with certain endings specially; no such ending is a seven.
    const body = JSON.stringify({ id, phone: `1555${1_000_000 + number}7` });
    const startedAt = Date.now();
    const { status, eventId, retryAfterMs } = await this.#post(webhook.production_url, body);
    const isAcknowledged = eventId !== undefined && status === 200;
    const attempt = { startedAt, endedAt: Date.now(), status, isAcknowledged };
    this.attempts.push(attempt);
    if (isAcknowledged) this.acknowledged.push({ eventId, id });
    return { attempt, retryAfterMs };
  }

  #post(url: string, body: string): Promise<Answer> {
    return new Promise((resolve) => {
      const none = (): void => resolve({ status: 0, eventId: undefined, retryAfterMs: RETRY_AFTER_MS });
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request(
        url,
        { method: 'POST', agent: this.#agent, headers, timeout: PATIENCE_MS },
        (response) => {
          response.resume();
          response.on('error', none);
          response.on('end', () => {
            const { 'x-event-id': eventId, 'retry-after': seconds } = response.headers;
            resolve({
              status: response.statusCode ?? 0,
              eventId: typeof eventId === 'string' ? eventId : undefined,
              retryAfterMs: seconds ? Number(seconds) * 1000 : RETRY_AFTER_MS,
            });
          });
        },
      );
      sent.on('timeout', () => sent.destroy());
      sent.on('error', none);
      sent.end(body);
    });
  }
}
