// A worker process: takes jobs of the queue and advances runs. Ends when it is stopped or its launcher has ended.
import './log-as-json.ts';
import { untilReachable } from '#lib/core/db/database-unavailable.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { giveMemoryBack } from './give-memory-back.ts';
import { holdPrograms } from './launcher/builds.ts';
import { onStop, tellReady } from './launcher/child.ts';
import { logFailedRuns } from './log-failed-runs.ts';
import { serveMetrics } from './metrics/serve.ts';
import { migrationsFolder } from './root.ts';
import { jobHandlers, recurringJobs } from './run-housekeeping.ts';
import { startTraces } from './start-traces.ts';
import { untilDatabaseFits } from './until-database-fits.ts';

// Before the health check is served: a supervisor may stop this process from then on. Until jobs are taken, nothing has to finish.
let finish = async (): Promise<void> => undefined;
onStop(() => finish());
const runtime = await processRuntime('worker');
// First, so that a supervisor's health check succeeds while it waits for its database.
const metrics = await serveMetrics(runtime, 'worker');
logFailedRuns(runtime.logger);
await untilReachable(runtime.vital, runtime.logger);
await untilDatabaseFits(runtime, migrationsFolder);
holdPrograms();
const traces = await startTraces(runtime, 'worker');
const memory = giveMemoryBack();
const starting = startWorker({
  pools: runtime,
  findExecutor,
  renderAnswer: (state, failed) => renderRunAnswer(state, failed, runtime.clock.now()),
  recurring: recurringJobs(runtime),
  handlers: jobHandlers(runtime),
  logger: runtime.logger,
  clock: runtime.clock,
  maxRuns: runtime.settings.WORKER_CONCURRENCY,
});

finish = async () => {
  await (await starting).stop();
  memory.close();
  metrics?.close();
  await traces?.close();
  await runtime.close();
};
await starting;
tellReady();
