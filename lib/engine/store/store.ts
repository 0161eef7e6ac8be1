import { GroupCommit } from '#lib/core/db/group-commit.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import type { RunStore } from '#lib/engine/engine-deps.ts';
import { loadWebhooks } from './bursts.ts';
import { loadDraftOptions, loadTaskRunsToResume } from './load.ts';
import { loadGraph } from './load-version.ts';
import { LoopItems } from './loop-items.ts';
import { loadSignals, noteSignals } from './signal-waits.ts';
import { areHeldUnclaimed, createTaking } from './take.ts';
import { mergeWrites, type RunWrite, writeRuns } from './write.ts';

const MAX_BATCH = 256;

/** The engine's tables in PostgreSQL. Concurrent writes of different runs share one statement and commit. */
export function createRunStore(pool: Pool, workerId: string): RunStore {
  const items = new LoopItems(pool);
  let lastNumber = 0;
  const nextNumber = (): number => (lastNumber += 1);
  const commits = new GroupCommit<RunWrite, boolean>(
    (batch) => writeBatch(pool, workerId, items, nextNumber, batch),
    {
      maxBatch: MAX_BATCH,
      maxWeight: Infinity,
      weigh: () => 0,
      lanes: 1,
      splitsFailed: () => true,
    },
  );
  return {
    take: createTaking(pool, workerId, nextNumber),
    areHeldUnclaimed: (runIds) => areHeldUnclaimed(pool, workerId, runIds),
    loadTaskRuns: async (runId, graph) => {
      const taskRuns = await loadTaskRunsToResume(pool, items, runId, graph);
      await noteSignals(pool, taskRuns);
      return taskRuns;
    },
    loadSignals: (waitId) => retryWhileUnavailable(() => loadSignals(pool, waitId)),
    loadDraftOptions: (run) => loadDraftOptions(pool, run),
    loadWebhooks: ({ event }, graph) => loadWebhooks(pool, event.id, graph),
    loadGraph: (workflowId, version) => loadGraph(pool, workflowId, version),
    write: (run, taskRuns, change) => commits.add({ run, taskRuns, change }),
  };
}

/**
 * Retries while the database is unavailable: the statement is idempotent under its epochs. Each attempt has its own number,
 * so that one that timed out writes nothing when it is executed after a later one.
 */
async function writeBatch(
  pool: Pool,
  workerId: string,
  items: LoopItems,
  nextNumber: () => number,
  batch: RunWrite[],
): Promise<boolean[]> {
  const merged = mergeWrites(batch);
  const owned = await retryWhileUnavailable(() =>
    writeRuns(pool, workerId, items, nextNumber(), [...merged.values()]),
  );
  return batch.map(({ run }) => owned.has(run.id) && merged.get(run.id)?.run.epoch === run.epoch);
}
