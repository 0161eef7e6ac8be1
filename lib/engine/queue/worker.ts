import type { Logger } from 'pino';
import type { ProcessClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { listen } from '#lib/core/db/listen.ts';
import type { EngineDeps } from '#lib/engine/engine-deps.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import type { RunStore } from '#lib/engine/store-types.ts';
import { newId } from '#lib/core/ids.ts';
import { ADVANCE_TASK, advancePayload } from '#lib/engine/store/advance-job.ts';
import { createClaims } from './claims.ts';
import { startHeartbeat } from './heartbeat.ts';
import { JobConsumer } from './job-consumer.ts';
import { createJobTable } from './job-table.ts';
import {
  ADD_RECURRING_JOB,
  RECURRING_INTERVALS_MS,
  RECURRING_TASKS,
  type RecurringTask,
} from './recurring-jobs.ts';
import { RunHost } from './run-host.ts';

const CONCURRENT_JOBS = 24;
const STOP_DEADLINE_MS = 8000;
/** Channel on which graphile-worker announces new jobs. */
const JOBS_CHANNEL = '"jobs:insert"';

export interface WorkerOptions {
  pools: { engine: Pool; vital: Pool };
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  logger: Logger;
  clock: ProcessClock;
  maxRuns: number;
  /** Each is called at its interval, by one of all workers. */
  recurring: Readonly<Record<RecurringTask, () => Promise<void>>>;
}

/** Publishes the ends of runs. */
const toldOf = (store: RunStore): RunStore => ({
  ...store,
  async write(run, taskRuns, change) {
    const isWritten = await store.write(run, taskRuns, change);
    if (isWritten && change.finishedAt !== undefined && change.status)
      telemetry.run.tell({ status: change.status, failure: change.failure });
    return isWritten;
  },
});

/** Starts a worker in this process: takes jobs of the queue and advances their runs until it is stopped. */
export async function startWorker(options: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const { pools, logger, clock, recurring } = options;
  const { engine, vital } = pools;
  const workerId = newId();
  const host = new RunHost({
    ...options,
    store: toldOf(createRunStore(engine, workerId)),
    claims: createClaims(engine, workerId),
  });
  const consumer = new JobConsumer({
    table: createJobTable(engine, workerId),
    handle: async ({ task, payload }) => {
      if (task === ADVANCE_TASK) {
        const { run_ids, signaled } = advancePayload.parse(payload);
        return host.advance(run_ids, signaled);
      }
      await recurring[task]();
      return { repeatAfterMs: RECURRING_INTERVALS_MS[task] };
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
  for (const task of RECURRING_TASKS) await vital.query(ADD_RECURRING_JOB, [task]);
  consumer.start();
  return {
    async stop() {
      listener.stop();
      await Promise.all([consumer.stop(STOP_DEADLINE_MS), host.stop(STOP_DEADLINE_MS)]);
      await heartbeat.stop();
    },
  };
}
