import type { ShortWaits } from '#lib/engine/engine-deps.ts';

/** Longer waits are timers of the queue: the run is released. */
export const LONGEST_HELD_WAIT_MS = 5000;

export interface HeldWaitsOptions {
  /** Maximum number of runs held in a wait; further ones are timers of the queue. */
  maxCount: number;
  /** Ends all waits; no run is held after it. */
  stopping: AbortSignal;
  /** Called when a run waits, so that another one can take its place. */
  onHold: () => void;
}

/** Short waits of this worker's runs: in memory, because the queue's timers are polled. */
export class HeldWaits implements ShortWaits {
  readonly #options: HeldWaitsOptions;
  readonly #wakes = new Map<string, () => void>();

  constructor(options: HeldWaitsOptions) {
    this.#options = options;
    options.stopping.addEventListener('abort', () => {
      for (const wake of this.#wakes.values()) wake();
    });
  }

  get count(): number {
    return this.#wakes.size;
  }

  mayHold(milliseconds: number): boolean {
    const { stopping, maxCount } = this.#options;
    return milliseconds <= LONGEST_HELD_WAIT_MS && this.count < maxCount && !stopping.aborted;
  }

  hold(runId: string, milliseconds: number): Promise<void> {
    if (this.#options.stopping.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#wakes.delete(runId);
        resolve();
      };
      const timer = setTimeout(end, Math.max(0, milliseconds));
      this.#wakes.set(runId, end);
      this.#options.onHold();
    });
  }

  /** Lets a held run check its state before its wait is over: another worker may have taken it. */
  wake(runId: string): void {
    this.#wakes.get(runId)?.();
  }
}
