// Group commit: what arrives while one batch is being written goes out together in the next, in one
// statement and one commit. Used wherever many requests write or ask the same: the webhooks' intake, tokens and rates, and
// the job consumer.

export interface GroupCommitOptions<Item> {
  maxBatch: number;
  /** A batch ends before this weight is passed, but holds one item at least. */
  maxWeight: number;
  weigh: (item: Item) => number;
  /** Batches under way at once. */
  lanes: number;
  /** The items of a batch that failed are written again one by one, so that only those fail whose fault it is. */
  splitsFailed?: boolean;
}

interface Entry<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #flush: (items: Item[]) => Promise<Result[]>;
  readonly #options: GroupCommitOptions<Item>;
  #queue: Entry<Item, Result>[] = [];
  #underWay = 0;
  #scheduled = false;

  /** @param flush writes a batch and answers one result an item, in order; when it throws, so does every item of the batch. */
  constructor(flush: (items: Item[]) => Promise<Result[]>, options: GroupCommitOptions<Item>) {
    this.#flush = flush;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#schedule();
    });
  }

  /** Starts at the end of this turn of the event loop, so that what arrived together is written together. */
  #schedule(): void {
    if (this.#scheduled || this.#underWay >= this.#options.lanes) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#queue.length > 0 && this.#underWay < this.#options.lanes) {
      this.#underWay += 1;
      void this.#write(this.#queue.splice(0, this.#batchSize()));
    }
  }

  /** The next batch is sent before this one is answered, so that the database works while callers are told. */
  async #write(batch: Entry<Item, Result>[]): Promise<void> {
    const settle = await this.#settlementOf(batch);
    this.#underWay -= 1;
    if (this.#queue.length > 0) this.#start();
    settle();
  }

  #batchSize(): number {
    const { maxBatch, maxWeight, weigh } = this.#options;
    let weight = 0;
    let size = 0;
    for (const { item } of this.#queue) {
      weight += weigh(item);
      if (size > 0 && weight > maxWeight) break;
      size += 1;
      if (size === maxBatch) break;
    }
    return size;
  }

  /** Writes a batch. @returns what tells its callers */
  async #settlementOf(batch: readonly Entry<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.#flush(batch.map((entry) => entry.item));
      return () => batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      if (!this.#options.splitsFailed || batch.length === 1)
        return () => batch.forEach((entry) => entry.reject(error));
      const settlements: (() => void)[] = [];
      for (const entry of batch) settlements.push(await this.#settlementOf([entry]));
      return () => settlements.forEach((settle) => settle());
    }
  }
}
