// Whether a host of the platform currently responds, as far as this process knows. A message sent meanwhile would be flagged,
// although it most likely never arrived: so it is not sent then.

/** Shorter silences say nothing, however fast the platform is otherwise. */
const LEAST_SILENCE_MS = 500;
/** Of the usual time until an answer. */
const SILENCE_FACTOR = 1.5;
/** How much the newest answer counts in the usual time. */
const NEWEST_WEIGHT = 0.2;

export class Route {
  readonly #now: () => number;
  /** When the requests were sent that have not been answered, the oldest first. */
  readonly #unanswered = new Map<symbol, number>();
  #usualMs = 0;
  #lastAnswerAt = -Infinity;
  #wasAnswerLost = false;
  #trying: Promise<unknown> | undefined;

  /** @param now in milliseconds, of a clock that never jumps */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** A request has left. @returns what takes down that its answer came, or was lost */
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

  /** Makes a trial, unless one is under way: then its outcome counts. */
  async tryOnce(attempt: () => Promise<unknown>): Promise<void> {
    this.#trying ??= attempt().finally(() => (this.#trying = undefined));
    await this.#trying;
  }

  /** Whether an answer was lost and none has come since, or one is overdue. */
  get isDoubtful(): boolean {
    if (this.#wasAnswerLost) return true;
    const [oldestSentAt] = this.#unanswered.values();
    if (oldestSentAt === undefined) return false;
    const silentMs = this.#now() - Math.max(oldestSentAt, this.#lastAnswerAt);
    return silentMs > Math.max(LEAST_SILENCE_MS, this.#usualMs * SILENCE_FACTOR);
  }
}
