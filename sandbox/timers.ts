/** Timers that end with the sandbox: nothing fires after `clear`, and nothing keeps the process alive. */
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

  /** Drops everything that has not fired yet. */
  clear(): void {
    for (const timer of this.#pending) clearTimeout(timer);
    this.#pending.clear();
  }
}
