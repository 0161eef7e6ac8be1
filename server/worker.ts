// A worker process: takes jobs of the queue and advances runs. Ends when its launcher is gone or says so.
import { untilReachable } from '#lib/core/db/until-reachable.ts';
import { processRuntime } from '#lib/core/process-runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { onStop, tellReady } from './launcher/child.ts';
import { checkConnections, runHousekeeping } from './run-housekeeping.ts';

const runtime = await processRuntime('worker');
await untilReachable(runtime.vital, runtime.logger);
const worker = await startWorker({
  pools: runtime,
  findExecutor,
  renderAnswer: (state, failed) => renderRunAnswer(state, failed, runtime.clock.now()),
  runHousekeeping: () => runHousekeeping(runtime),
  checkConnections: () => checkConnections(runtime),
  logger: runtime.logger,
  clock: runtime.clock,
  maxRuns: runtime.settings.WORKER_CONCURRENCY,
});

onStop(async () => {
  await worker.stop();
  await runtime.close();
});
tellReady();
