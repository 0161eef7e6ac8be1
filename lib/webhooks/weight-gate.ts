interface Waiting {
  weight: number;
  rank: number;
  enter: () => void;
}

/** Weight that offsets 1 ms of waiting. */
const WEIGHT_PER_MS = 1000;

/**
 * Limits the total weight of concurrent work to a capacity. Lighter work goes first, unless heavier work has waited a second
 * longer for each million of difference.
 */
export class WeightGate {
  readonly #capacity: number;
  readonly #waiting: Waiting[] = [];
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** @param weight in the capacity's unit; work that exceeds the capacity waits until it can run alone */
  async run<Result>(weight: number, work: () => Promise<Result>): Promise<Result> {
    const counted = Math.min(weight, this.#capacity);
    if (this.#waiting.length > 0 || !this.#fits(counted)) await this.#wait(counted);
    else this.#weight += counted;
    try {
      return await work();
    } finally {
      this.#weight -= counted;
      this.#enterNext();
    }
  }

  #fits(weight: number): boolean {
    return this.#weight + weight <= this.#capacity;
  }

  #wait(weight: number): Promise<void> {
    const rank = performance.now() + weight / WEIGHT_PER_MS;
    return new Promise((enter) => {
      const at = this.#waiting.findIndex((other) => other.rank > rank);
      this.#waiting.splice(at < 0 ? this.#waiting.length : at, 0, { weight, rank, enter });
    });
  }

  #enterNext(): void {
    for (let next = this.#waiting[0]; next && this.#fits(next.weight); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#weight += next.weight;
      next.enter();
    }
  }
}
