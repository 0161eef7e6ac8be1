// The items of loops: they may be megabytes, so they are written once, when their loop begins, and cached for runs that wait
// inside a loop.
import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { LoopState } from '../run-types.ts';

const REMEMBERED = { max: 1000, maxSize: 16 * 1024 * 1024 };

const ITEMS = 'select items from task_runs where run_id = $1 and task_id = $2 and iteration = $3';

export class LoopItems {
  readonly #pool: Pool;
  /** Each loop has its own list, in every copy of its state. */
  readonly #written = new WeakSet<JsonValue[]>();
  readonly #remembered = new LRUCache<string, JsonValue[]>(REMEMBERED);

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** The items to write; null when the loop has none, or they are already written. */
  textToWrite(loop: LoopState | undefined): string | null {
    return loop?.items && !this.#written.has(loop.items) ? stringifyJson(loop.items) : null;
  }

  markWritten({ items }: LoopState): void {
    if (items) this.#written.add(items);
  }

  /** The stored items of a loop's task run. */
  async load(runId: string, taskId: number, iteration: string): Promise<JsonValue[]> {
    const key = `${runId}/${taskId}@${iteration}`;
    const remembered = this.#remembered.get(key);
    if (remembered) return remembered;
    const values = [runId, taskId, iteration];
    const { rows } = await this.#pool.query<{ items: string }>({
      name: 'load_items',
      text: ITEMS,
      values,
    });
    const text = rows[0]?.items ?? '[]';
    const items = parseJson(text) as JsonValue[];
    this.#remembered.set(key, items, { size: text.length + 1 });
    return items;
  }
}
