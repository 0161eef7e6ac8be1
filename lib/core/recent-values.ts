export interface RecentValuesOptions<Value> {
  maxCount: number;
  /** Bounds the weights of all values together; one that weighs more by itself is not kept. */
  maxWeight?: number;
  weigh?: (key: string, value: Value) => number;
}

/** Remembers the most recently used values, bounded by their count and, where they are weighed, by their weight. */
export class RecentValues<Value extends NonNullable<unknown>> {
  /** In the order of their use: the first is always the one not used for longest. */
  readonly #values = new Map<string, Value>();
  readonly #maxCount: number;
  readonly #maxWeight: number;
  readonly #weigh: (key: string, value: Value) => number;
  #weight = 0;

  constructor({ maxCount, maxWeight = Infinity, weigh = () => 0 }: RecentValuesOptions<Value>) {
    this.#maxCount = maxCount;
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get count(): number {
    return this.#values.size;
  }

  find(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  keep(key: string, value: Value): void {
    this.forget(key);
    const weight = this.#weigh(key, value);
    if (weight > this.#maxWeight) return;
    this.#values.set(key, value);
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#maxCount && this.#weight <= this.#maxWeight) return;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const value = this.#values.get(key);
    if (value === undefined) return;
    this.#values.delete(key);
    this.#weight -= this.#weigh(key, value);
  }
}
