import type { Logger } from 'pino';
import type { ProcessClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { listen } from '#lib/core/db/listen.ts';
import type { EngineDeps } from '#lib/engine/engine-deps.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import { newId } from '#lib/core/ids.ts';
import { ADVANCE_TASK, advancePayload } from '#lib/engine/store/advance-job.ts';
import { createClaims } from './claims.ts';
import { startHeartbeat } from './heartbeat.ts';
import { JobConsumer } from './job-consumer.ts';
import { createJobTable } from './job-table.ts';
import {
  ADD_CONNECTION_CHECKS,
  CONNECTION_CHECKS_INTERVAL_MS,
  CONNECTION_CHECKS_TASK,
} from './connection-checks-job.ts';
import { ADD_HOUSEKEEPING, HOUSEKEEPING_INTERVAL_MS } from './housekeeping-job.ts';
import { RunHost } from './run-host.ts';

const CONCURRENT_JOBS = 24;
const STOP_DEADLINE_MS = 8000;
/** Where graphile-worker tells of new jobs. */
const JOBS_CHANNEL = '"jobs:insert"';

export interface WorkerOptions {
  pools: { engine: Pool; vital: Pool };
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  logger: Logger;
  clock: ProcessClock;
  maxRuns: number;
  /** Called once an hour, by one of all workers. */
  runHousekeeping: () => Promise<void>;
  /** Called once a minute, by one of all workers. */
  checkConnections: () => Promise<void>;
}

/** Starts a worker in this process: takes jobs of the queue and advances their runs until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { pools, logger, clock, runHousekeeping, checkConnections } = options;
  const { engine, vital } = pools;
  const workerId = newId();
  const host = new RunHost({
    ...options,
    store: createRunStore(engine, workerId),
    claims: createClaims(engine, workerId),
  });
  const consumer = new JobConsumer({
    table: createJobTable(engine, workerId),
    handle: async ({ task, payload }) => {
      if (task === ADVANCE_TASK) {
        const { run_ids, signaled } = advancePayload.parse(payload);
        return host.advance(run_ids, signaled);
      }
      if (task === CONNECTION_CHECKS_TASK) {
        await checkConnections();
        return { repeatAfterMs: CONNECTION_CHECKS_INTERVAL_MS };
      }
      await runHousekeeping();
      return { repeatAfterMs: HOUSEKEEPING_INTERVAL_MS };
    },
    logger,
    concurrency: CONCURRENT_JOBS,
  });
  const heartbeat = await startHeartbeat({
    pool: vital,
    processId: workerId,
    kind: 'worker',
    jobPoolId: workerId,
    msSinceLastJob: () => consumer.msSinceLastJob,
    clock,
    logger,
  });
  const listener = listen(engine, JOBS_CHANNEL, () => consumer.wake());
  await vital.query(ADD_HOUSEKEEPING);
  await vital.query(ADD_CONNECTION_CHECKS);
  consumer.start();
  return {
    async stop() {
      listener.stop();
      await Promise.all([consumer.stop(STOP_DEADLINE_MS), host.stop(STOP_DEADLINE_MS)]);
      await heartbeat.stop();
    },
  };
}
