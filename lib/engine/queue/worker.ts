import type { Logger } from 'pino';
import { systemClock } from '#lib/core/clock.ts';
import { openDatabase, openHotPool } from '#lib/core/db/client.ts';
import { listen } from '#lib/core/db/listen.ts';
import type { EngineDeps } from '#lib/engine/engine-deps.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import { newId } from '#lib/core/ids.ts';
import { advancePayload } from '#lib/engine/store/advance-job.ts';
import { createClaims } from './claims.ts';
import { startHeartbeat } from './heartbeat.ts';
import { JobConsumer } from './job-consumer.ts';
import { createJobTable } from './job-table.ts';
import { RunHost } from './run-host.ts';

const CONCURRENT_JOBS = 24;
const STOP_DEADLINE_MS = 8000;
/** Where graphile-worker tells of new jobs. */
const JOBS_CHANNEL = '"jobs:insert"';

export interface WorkerOptions {
  databaseUrl: string;
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  logger: Logger;
  maxRuns: number;
}

/** Starts a worker in this process: takes jobs of the queue and advances their runs until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, logger } = options;
  const workerId = newId();
  const hot = openHotPool(databaseUrl, { maxConnections: 4, name: 'patchbay-engine' });
  const jobs = openHotPool(databaseUrl, { maxConnections: 3, name: 'patchbay-jobs' });
  const beats = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-heartbeat' });
  const host = new RunHost({
    ...options,
    store: createRunStore(hot, workerId),
    claims: createClaims(hot, workerId),
    clock: systemClock,
  });
  const consumer = new JobConsumer({
    table: createJobTable(jobs, workerId),
    handle: (payload) => host.advance(advancePayload.parse(payload).run_ids),
    logger,
    concurrency: CONCURRENT_JOBS,
  });
  const heartbeat = await startHeartbeat({
    pool: beats.$client,
    processId: workerId,
    kind: 'worker',
    jobPoolId: workerId,
    lastJobAt: () => consumer.lastJobAt,
    logger,
  });
  const listener = listen(jobs, JOBS_CHANNEL, () => consumer.wake());
  consumer.start();
  return {
    async stop() {
      listener.stop();
      await Promise.all([consumer.stop(STOP_DEADLINE_MS), host.stop(STOP_DEADLINE_MS)]);
      await heartbeat.stop();
      await Promise.all([hot.end(), jobs.end(), beats.$client.end()]);
    },
  };
}
