import { LRUCache } from 'lru-cache';
import type { Pool } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/retry-while-unavailable.ts';
import type { CompiledGraph } from '../graph.ts';
import type { TakenRun } from '../run-state.ts';
import type { TaskRun } from '../run-types.ts';
import type { RunChange, RunStore } from '../store-types.ts';
import { loadGraph, loadTaskRunsToGoOn } from './load.ts';
import { LoopItems } from './loop-items.ts';
import { createTaking } from './take.ts';
import { type RunWrite, writeRuns } from './write.ts';

const MAX_BATCH = 256;
const MAX_CACHED_GRAPHS = 2000;

interface PendingWrite extends RunWrite {
  taskRuns: Set<TaskRun>;
  settle: { resolve: (owned: boolean) => void; reject: (error: unknown) => void }[];
}

/** The engine's tables in PostgreSQL. Writes of different runs that come together share one statement and commit. */
export function createRunStore(pool: Pool, workerId: string): RunStore {
  const graphs = new LRUCache<string, Promise<CompiledGraph>>({ max: MAX_CACHED_GRAPHS });
  const items = new LoopItems(pool);
  const writer = new BatchWriter(pool, items);
  const takeRuns = createTaking(pool, workerId);
  return {
    take: takeRuns,
    loadTaskRuns: (runId, graph) => loadTaskRunsToGoOn(pool, items, runId, graph),
    loadGraph(workflowId, version) {
      const key = `${workflowId}:${version}`;
      const known = graphs.get(key);
      if (known) return known;
      const graph = loadGraph(pool, workflowId, version);
      graph.catch(() => graphs.delete(key));
      graphs.set(key, graph);
      return graph;
    },
    write: (run, taskRuns, change) => writer.write(run, taskRuns, change),
  };
}

class BatchWriter {
  readonly #pool: Pool;
  readonly #items: LoopItems;
  /** By run: two writes of one run that come together become one, because a statement may touch a row once. */
  #pending = new Map<string, PendingWrite>();
  #writing = false;

  constructor(pool: Pool, items: LoopItems) {
    this.#pool = pool;
    this.#items = items;
  }

  write(run: TakenRun, taskRuns: Iterable<TaskRun>, change: RunChange): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const key = `${run.id}:${run.epoch}`;
      const pending = this.#pending.get(key);
      if (pending) {
        for (const taskRun of taskRuns) pending.taskRuns.add(taskRun);
        pending.change = { ...pending.change, ...change };
        pending.settle.push({ resolve, reject });
      } else {
        this.#pending.set(key, { run, taskRuns: new Set(taskRuns), change, settle: [{ resolve, reject }] });
      }
      if (!this.#writing) {
        this.#writing = true;
        setImmediate(() => void this.#drain());
      }
    });
  }

  async #drain(): Promise<void> {
    while (this.#pending.size > 0) {
      const batch: PendingWrite[] = [];
      for (const [key, write] of this.#pending) {
        this.#pending.delete(key);
        batch.push(write);
        if (batch.length >= MAX_BATCH) break;
      }
      await this.#writeBatch(batch);
    }
    this.#writing = false;
  }

  /**
   * While the database is unavailable the batch is tried again: the statement is idempotent under its epoch.
   * Any other error is one run's: the batch is split to find it.
   */
  async #writeBatch(batch: PendingWrite[]): Promise<void> {
    try {
      const owned = await retryWhileUnavailable(() => writeRuns(this.#pool, this.#items, batch));
      for (const { run, settle } of batch) for (const { resolve } of settle) resolve(owned.has(run.id));
    } catch (error) {
      if (batch.length > 1) for (const write of batch) await this.#writeBatch([write]);
      else for (const { reject } of batch[0]?.settle ?? []) reject(error);
    }
  }
}
