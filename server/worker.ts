// A worker process: takes jobs of the queue and advances runs. Ends when its launcher is gone or says so.
import { env } from '#lib/core/env.ts';
import { logger } from '#lib/core/log.ts';
import { messagingRuntime } from '#lib/messaging/runtime.ts';
import { startWorker } from '#lib/engine/queue/worker.ts';
import { findExecutor } from '#lib/tasks/executors.ts';
import { renderRunAnswer } from '#lib/webhooks/render-response.ts';
import { onStop, tellReady } from './launcher/child.ts';

const settings = env();
const worker = await startWorker({
  databaseUrl: settings.DATABASE_URL,
  findExecutor,
  renderAnswer: (state, failed) => renderRunAnswer(state, failed, new Date()),
  logger,
  maxRuns: settings.WORKER_CONCURRENCY,
});

// Its housekeeping goes on even where no task sends anything.
if (settings.ENCRYPTION_KEYS) void messagingRuntime();

onStop(() => worker.stop());
tellReady();
