// Group commit: items that arrive while a batch is being written are written together in the next one, with one statement and
// one commit. Used where many requests write or read the same tables: the intake of webhooks, tokens and rates, messages that are
// sent, and the job consumer.
import { perPool, type Pool } from './client.ts';

export interface GroupCommitOptions<Item> {
  maxBatch: number;
  /** A batch ends before it exceeds this weight, but has at least one item. */
  maxWeight: number;
  weigh: (item: Item) => number;
  /** Concurrent batches. */
  lanes: number;
  /**
   * With one lane: how long the next batch waits, at most, for as many items as there were when this one ended. Callers that come
   * again once they are answered are then in one batch, not in two that alternate. 0, and left out: it is written at once.
   */
  gatherMs?: (batch: readonly Item[]) => number;
  /**
   * Whether the items of a failed batch are written again one by one, so that only the faulty ones fail; by default never. False
   * for errors that each of them would meet, such as a lost database.
   */
  splitsFailed?: (error: unknown) => boolean;
  /** Items that have waited longer when their turn comes are rejected with `WaitedTooLong`; left out: however long they wait. */
  maxWaitMs?: number;
}

/** The item was not written: items arrive faster than they are written. */
export class WaitedTooLong extends Error {}

interface Entry<Item, Result> {
  item: Item;
  /** Of `performance.now`. */
  addedMs: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export class GroupCommit<Item, Result> {
  readonly #flush: (items: Item[]) => Promise<Result[]>;
  readonly #options: GroupCommitOptions<Item>;
  #queue: Entry<Item, Result>[] = [];
  #underWay = 0;
  #scheduled = false;
  #gathering: { untilItems: number; timer: NodeJS.Timeout } | undefined;

  /**
   * @param flush writes a batch and returns one result per item, in order; when it throws, every item of the batch rejects
   */
  constructor(flush: (items: Item[]) => Promise<Result[]>, options: GroupCommitOptions<Item>) {
    this.#flush = flush;
    this.#options = options;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ item, addedMs: performance.now(), resolve, reject });
      if (this.#gathering && this.#queue.length >= this.#gathering.untilItems) this.#endGathering();
      else this.#schedule();
    });
  }

  /** Starts at the end of this turn of the event loop, so that items that arrive together are written together. */
  #schedule(): void {
    if (this.#scheduled || this.#gathering || this.#underWay >= this.#options.lanes) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    this.#rejectLate();
    while (this.#queue.length > 0 && this.#underWay < this.#options.lanes) {
      this.#underWay += 1;
      void this.#write(this.#queue.splice(0, this.#batchSize()));
    }
  }

  #rejectLate(): void {
    const { maxWaitMs } = this.#options;
    if (maxWaitMs === undefined) return;
    const sinceMs = performance.now() - maxWaitMs;
    const inTime = this.#queue.findIndex(({ addedMs }) => addedMs >= sinceMs);
    const late = this.#queue.splice(0, inTime < 0 ? this.#queue.length : inTime);
    for (const { reject } of late) reject(new WaitedTooLong(`It waited for more than ${maxWaitMs} ms.`));
  }

  /** Sends the next batch before resolving this one, unless it gathers, so that the database works while callers continue. */
  async #write(batch: Entry<Item, Result>[]): Promise<void> {
    const settle = await this.#settlementOf(batch);
    this.#underWay -= 1;
    if (this.#queue.length > 0) this.#startNext(batch);
    settle();
  }

  #startNext(ended: readonly Entry<Item, Result>[]): void {
    const left = this.#queue.length;
    const isFull = this.#batchSize() < left || left >= this.#options.maxBatch;
    const waitsMs =
      isFull || ended.length === 1 ? 0 : this.#options.gatherMs?.(ended.map(({ item }) => item));
    if (!waitsMs) return this.#start();
    const untilItems = Math.min(ended.length + left, this.#options.maxBatch);
    this.#gathering = { untilItems, timer: setTimeout(() => this.#endGathering(), waitsMs) };
  }

  #endGathering(): void {
    clearTimeout(this.#gathering?.timer);
    this.#gathering = undefined;
    this.#schedule();
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

  /** Writes a batch. @returns what resolves or rejects its items */
  async #settlementOf(batch: readonly Entry<Item, Result>[]): Promise<() => void> {
    try {
      const results = await this.#flush(batch.map((entry) => entry.item));
      return () => batch.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || !this.#options.splitsFailed?.(error))
        return () => batch.forEach((entry) => entry.reject(error));
      const settlements: (() => void)[] = [];
      for (const entry of batch) settlements.push(await this.#settlementOf([entry]));
      return () => settlements.forEach((settle) => settle());
    }
  }
}

const TOGETHER = { maxBatch: 256, maxWeight: Infinity, weigh: () => 0, lanes: 1 };

/**
 * A group for each pool, so that those of a process share statements: one batch at a time, of at most 256 items.
 * @param flush as of `GroupCommit`
 */
export const groupByPool = <Item, Result>(
  flush: (pool: Pool, items: Item[]) => Promise<Result[]>,
  options: Partial<GroupCommitOptions<Item>> = {},
): ((pool: Pool) => GroupCommit<Item, Result>) =>
  perPool((pool) => new GroupCommit((items) => flush(pool, items), { ...TOGETHER, ...options }));
