// Checks in web processes whether there are workers: only workers check for alerts, so that without any no alert about the
// queue would be sent.
import { extname } from 'node:path';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { countWorkers } from '#lib/engine/store/readiness.ts';
import type * as StandIn from './stand-in.ts';

/** Checks before workers count as missing. */
const LOOKS = 6;

/**
 * Checks every few seconds whether a worker runs, and sends the workers' alerts when none has for `MISSING_WORKER_SECONDS`.
 * @param lockId under which this process then locks jobs, as its heartbeat says
 */
export function watchWorkers(runtime: ProcessRuntime, lockId: string): { close(): Promise<void> } {
  const { vital, logger } = runtime;
  const missingMs = runtime.settings.MISSING_WORKER_SECONDS * 1000;
  const lookEveryMs = missingMs / LOOKS;
  const program = new URL(`stand-in${extname(import.meta.filename)}`, import.meta.url).href;
  let missingSinceMs: number | null = null;
  let isTold = false;
  let isClosed = false;
  const look = async (): Promise<void> => {
    if ((await countWorkers(vital)) > 0) {
      missingSinceMs = null;
      isTold = false;
      return;
    }
    missingSinceMs ??= Date.now();
    if (Date.now() - missingSinceMs < missingMs) return;
    if (!isTold) logger.error('No worker is running. Messages wait; nothing is lost.');
    isTold = true;
    const { standInForWorkers } = (await import(program)) as typeof StandIn;
    await standInForWorkers(runtime, lockId, new Date(missingSinceMs));
  };
  let looking: Promise<void> = Promise.resolve();
  const tick = (): void => {
    looking = look()
      // Without the database it is unknown whether workers run; once it is back, their time starts again.
      .catch((error: unknown) => {
        missingSinceMs = null;
        logger.warn({ err: error }, 'It could not be checked whether workers are running');
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(tick, lookEveryMs).unref();
      });
  };
  let timer = setTimeout(tick, lookEveryMs).unref();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
