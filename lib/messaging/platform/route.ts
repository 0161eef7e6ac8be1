// Whether a host of the platform currently responds, as far as this process knows. While it does not, a message would end with
// an unknown outcome although it most likely never arrived, so that it is not sent.

/** Shorter delays are normal, however fast the platform usually is. */
const LEAST_SILENCE_MS = 500;
/** Multiple of the usual response time. */
const SILENCE_FACTOR = 1.5;
/** Weight of the newest response in the usual response time. */
const NEWEST_WEIGHT = 0.2;

export class Route {
  readonly #now: () => number;
  /** Start times of unanswered requests, the oldest first. */
  readonly #unanswered = new Map<symbol, number>();
  #usualMs = 0;
  #lastAnswerAt = -Infinity;
  #wasAnswerLost = false;
  #trying: Promise<unknown> | undefined;

  /** @param now monotonic milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Records a sent request. @returns records its response, or the loss of it */
  sent(): { answered(): void; lost(): void } {
    const request = Symbol('request');
    const sentAt = this.#now();
    this.#unanswered.set(request, sentAt);
    return {
      answered: () => {
        if (!this.#unanswered.delete(request)) return;
        this.#lastAnswerAt = this.#now();
        this.#wasAnswerLost = false;
        const tookMs = this.#lastAnswerAt - sentAt;
        this.#usualMs += (tookMs - this.#usualMs) * (this.#usualMs === 0 ? 1 : NEWEST_WEIGHT);
      },
      lost: () => {
        if (this.#unanswered.delete(request)) this.#wasAnswerLost = true;
      },
    };
  }

  /** Sends a probe, or waits for the one in progress. */
  async tryOnce(attempt: () => Promise<unknown>): Promise<void> {
    this.#trying ??= attempt().finally(() => (this.#trying = undefined));
    await this.#trying;
  }

  /** Whether a response was lost without a later one, or one is overdue. */
  get isDoubtful(): boolean {
    if (this.#wasAnswerLost) return true;
    const [oldestSentAt] = this.#unanswered.values();
    if (oldestSentAt === undefined) return false;
    const silentMs = this.#now() - Math.max(oldestSentAt, this.#lastAnswerAt);
    return silentMs > Math.max(LEAST_SILENCE_MS, this.#usualMs * SILENCE_FACTOR);
  }
}
