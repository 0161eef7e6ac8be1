import { EventEmitter } from 'node:events';
import { Logger as QueueLogger, run, type WorkerEvents } from 'graphile-worker';
import type { Logger } from 'pino';
import * as z from 'zod';
import { systemClock } from '#lib/clock.ts';
import { openDatabase, openHotPool } from '#lib/db/client.ts';
import type { EngineDeps } from '#lib/engine/run.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import { newId } from '#lib/ids.ts';
import { createClaims } from './claims.ts';
import { startHeartbeat } from './heartbeat.ts';
import { RunHost } from './run-host.ts';

const CONCURRENT_JOBS = 24;
const POLL_INTERVAL_MS = 500;
const STOP_DEADLINE_MS = 8000;

const advancePayload = z.object({ run_ids: z.array(z.uuid()) });

export interface WorkerOptions {
  databaseUrl: string;
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  logger: Logger;
  maxRuns: number;
}

/** Starts a worker in this process: takes jobs of the queue and advances their runs until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { databaseUrl, logger, findExecutor, renderAnswer, maxRuns } = options;
  const workerId = newId();
  const hot = openHotPool(databaseUrl, { maxConnections: 4, name: 'patchbay-engine' });
  const jobs = openDatabase(databaseUrl, { maxConnections: CONCURRENT_JOBS + 2, name: 'patchbay-jobs' });
  const store = createRunStore(hot, workerId);
  const claims = createClaims(hot, workerId);
  const host = new RunHost({
    store,
    claims,
    findExecutor,
    renderAnswer,
    clock: systemClock,
    logger,
    maxRuns,
  });

  let jobPoolId: string | null = null;
  const heartbeat = await startHeartbeat({
    pool: jobs.$client,
    processId: workerId,
    kind: 'worker',
    jobPoolId: () => jobPoolId,
    logger,
  });
  const events = new EventEmitter() as WorkerEvents;
  events.on('pool:create', ({ workerPool }) => {
    jobPoolId = workerPool.id;
    void heartbeat
      .beat()
      .catch((error: unknown) => logger.warn({ err: error }, 'the job pool was not recorded'));
  });
  const runner = await run({
    pgPool: jobs.$client,
    events,
    noHandleSignals: true,
    logger: toQueueLogger(logger),
    taskList: { advance: (payload) => host.advance(advancePayload.parse(payload).run_ids) },
    preset: {
      worker: {
        concurrentJobs: CONCURRENT_JOBS,
        pollInterval: POLL_INTERVAL_MS,
        localQueue: { size: CONCURRENT_JOBS + 1 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
  });
  return {
    async stop() {
      await Promise.all([runner.stop(), host.stop(STOP_DEADLINE_MS)]);
      await heartbeat.stop();
      await Promise.all([hot.end(), jobs.$client.end()]);
    },
  };
}

function toQueueLogger(logger: Logger): QueueLogger {
  return new QueueLogger(() => (level, message, meta) => {
    if (level === 'error') logger.error({ queue: meta }, message);
    else if (level === 'warning') logger.warn(message);
    else logger.trace(message);
  });
}
