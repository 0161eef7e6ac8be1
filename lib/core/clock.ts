/** Time as the product sees it; tests hand in a clock they can set. */
export interface Clock {
  now(): Date;
}

/** The machine's clock, right or wrong. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * The clock of a process: the database's time, which all processes share, as far as it was told of it. The machine's own
 * clock counts until then only: it may be wrong, and be set while the process works. In between, time goes on as the
 * monotonic clock does, and never jumps further than it has to.
 */
export class ProcessClock implements Clock {
  /** From the monotonic clock to the time. */
  #offsetMs = Date.now() - performance.now();

  now(): Date {
    return new Date(this.#offsetMs + performance.now());
  }

  /**
   * @param told a time of the database, read at some moment between the other two
   * @param askedAtMs `performance.now()`
   * @param answeredAtMs `performance.now()`
   */
  learn(told: Date, askedAtMs: number, answeredAtMs: number): void {
    const earliest = told.getTime() - answeredAtMs;
    const latest = told.getTime() - askedAtMs;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, earliest), latest);
  }
}
