/** The sandbox's own clock: real time plus an offset that the control API moves. Milliseconds throughout. */
export class Clock {
  offsetMs = 0;

  /** Milliseconds since the epoch, as the sandbox sees it. */
  nowMs(): number {
    return Date.now() + this.offsetMs;
  }

  /** Whole seconds since the epoch, the unit of the platform's timestamps. */
  nowSeconds(): number {
    return Math.floor(this.nowMs() / 1000);
  }

  /** Moves the clock by `ms` (negative goes back). */
  move(ms: number): void {
    this.offsetMs += ms;
  }
}
