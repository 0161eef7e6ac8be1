import type { Logger } from 'pino';
import type { ProcessClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { listen } from '#lib/core/db/listen.ts';
import type { EngineDeps, RunStore } from '#lib/engine/engine-deps.ts';
import { createRunStore } from '#lib/engine/store/store.ts';
import type { FindExecutor } from '#lib/engine/task-executor.ts';
import { JobConsumer, type JobHandler } from '#lib/core/queue/job-consumer.ts';
import { ADD_RECURRING_JOB, createJobTable, OVERTAKING, RUNS } from '#lib/core/queue/job-table.ts';
import { telemetry } from '#lib/core/telemetry.ts';
import { newId } from '#lib/core/ids.ts';
import { ADVANCE_TASK, advancePayload } from '#lib/engine/store/advance-job.ts';
import { BURST_TASK, burstPayload, startBurst } from '#lib/engine/store/bursts.ts';
import { createClaims } from './claims.ts';
import { startHeartbeat } from './heartbeat.ts';
import { Overtaking } from './overtaking.ts';
import { RECURRING_INTERVALS_MS, RECURRING_TASKS, type RecurringTask } from './recurring.ts';
import { RunHost } from './run-host.ts';

const STOP_DEADLINE_MS = 8000;
/** Channel on which graphile-worker announces new jobs. */
const JOBS_CHANNEL = '"jobs:insert"';
/** For jobs of other lanes, which no notification announces: under load there are hundreds of them a second. */
const POLL_MS = 1000;
/** How often a worker that is behind looks for runs that may overtake others. */
const LOOK_MS = 200;

export interface WorkerOptions {
  pools: { engine: Pool; vital: Pool };
  findExecutor: FindExecutor;
  renderAnswer: EngineDeps['renderAnswer'];
  logger: Logger;
  clock: ProcessClock;
  maxRuns: number;
  /** Each is called at its interval, or after the milliseconds that it returns, by one of all workers. */
  recurring: Readonly<Record<RecurringTask, () => Promise<number | void>>>;
  /** What other rooms do with their jobs, each in its own lane. */
  handlers?: readonly JobHandler[];
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
  const { pools, logger, clock, recurring, handlers = [] } = options;
  const { engine, vital } = pools;
  const workerId = newId();
  const host = new RunHost({
    ...options,
    store: toldOf(createRunStore(engine, workerId)),
    claims: createClaims(engine, workerId),
  });
  const consumer = new JobConsumer({
    table: createJobTable(engine, {
      lockId: workerId,
      lane: RUNS,
      tasks: [ADVANCE_TASK, BURST_TASK, ...RECURRING_TASKS],
    }),
    handle: async ({ task, payload }) => {
      if (task === ADVANCE_TASK) {
        const { run_ids, signaled } = advancePayload.parse(payload);
        return host.advance(run_ids, signaled);
      }
      if (task === BURST_TASK) {
        const waitsMs = await startBurst(engine, burstPayload.parse(payload).run_id);
        return waitsMs === undefined ? undefined : { repeatAfterMs: waitsMs };
      }
      const againMs = await recurring[task as RecurringTask]();
      return { repeatAfterMs: againMs ?? RECURRING_INTERVALS_MS[task as RecurringTask] };
    },
    logger,
    lane: RUNS,
  });
  const others = handlers.map(({ task, lane, handle }) => {
    const table = createJobTable(engine, { lockId: workerId, lane, tasks: [task] });
    return new JobConsumer({ table, handle, logger, lane, pollMs: POLL_MS });
  });
  const ahead = new JobConsumer({
    table: createJobTable(engine, { lockId: workerId, lane: OVERTAKING, tasks: [ADVANCE_TASK] }),
    handle: async ({ payload }) => {
      const { run_ids, signaled } = advancePayload.parse(payload);
      return host.advance(run_ids, signaled, true);
    },
    logger,
    lane: OVERTAKING,
    pollMs: POLL_MS,
  });
  const overtaking = new Overtaking({ pool: engine, workerId, host, logger, wake: () => ahead.wake() });
  const consumers = [consumer, ahead, ...others];
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
  for (const each of consumers) each.start();
  const looks = setInterval(() => overtaking.look(consumer.msBehind), LOOK_MS);
  return {
    async stop() {
      clearInterval(looks);
      listener.stop();
      await Promise.all([...consumers, host].map((each) => each.stop(STOP_DEADLINE_MS)));
      await heartbeat.stop();
    },
  };
}
