/** The product's clock. Tests pass one that they can set. */
export interface Clock {
  now(): Date;
}

/** The machine's clock, which may be wrong. */
export const systemClock: Clock = { now: () => new Date() };

/**
 * The clock of a process: the database's time, which all processes share. Until the first reading it is the machine's clock,
 * which may be wrong or be changed while the process runs. Between readings it advances with the monotonic clock, and never
 * jumps further than it has to.
 */
export class ProcessClock implements Clock {
  /** From the monotonic clock to the time. */
  #offsetMs = Date.now() - performance.now();

  now(): Date {
    return new Date(this.#offsetMs + performance.now());
  }

  /**
   * @param databaseTime read at some moment between the other two
   * @param askedAtMs `performance.now()`
   * @param answeredAtMs `performance.now()`
   */
  learn(databaseTime: Date, askedAtMs: number, answeredAtMs: number): void {
    const earliest = databaseTime.getTime() - answeredAtMs;
    const latest = databaseTime.getTime() - askedAtMs;
    this.#offsetMs = Math.min(Math.max(this.#offsetMs, earliest), latest);
  }
}
