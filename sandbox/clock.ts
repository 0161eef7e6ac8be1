/** The sandbox's own clock: real time plus an offset that the control API moves. Milliseconds throughout. */
export class Clock {
  offsetMs = 0;

  /** Milliseconds since the epoch, on the sandbox's clock. */
  nowMs(): number {
    return Date.now() + this.offsetMs;
  }

  /** Whole seconds since the epoch, the unit of the platform's timestamps. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Moves the clock by `ms` (negative: back). */
  move(ms: number): void {
    this.offsetMs += ms;
  }
}

/** Timers that end with the sandbox: none fires after `clear`, and none keeps the process alive. */
export class Timers {
  #pending = new Set<NodeJS.Timeout>();

  /** Calls `action` once after `ms` milliseconds of real time. */
  after(ms: number, action: () => void): void {
    const timer = setTimeout(() => {
      this.#pending.delete(timer);
      action();
    }, ms);
    timer.unref();
    this.#pending.add(timer);
  }

  /** Cancels all pending timers. */
  clear(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}
