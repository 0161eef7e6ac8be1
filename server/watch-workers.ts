// Checks in web processes whether there are workers: only workers look for alerts, so that without any no alert about the
// queue would be found.
import { extname } from 'node:path';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { countWorkers } from '#lib/engine/store/readiness.ts';
import type * as StandIn from './stand-in.ts';

const LOOK_EVERY_MS = 10_000;
/** Longer than workers take to be started again or replaced by those of another version. */
const MISSING_MS = 60_000;

/** Looks every few seconds whether a worker runs, and stands in for them when none has for a minute. */
export function watchWorkers(runtime: ProcessRuntime): { close(): Promise<void> } {
  const { vital, logger } = runtime;
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
    if (Date.now() - missingSinceMs < MISSING_MS) return;
    if (!isTold) logger.error('No worker is running. Messages wait; nothing is lost.');
    isTold = true;
    const { standInForWorkers } = (await import(program)) as typeof StandIn;
    await standInForWorkers(runtime, new Date(missingSinceMs));
  };
  let looking: Promise<void> = Promise.resolve();
  const tick = (): void => {
    looking = look()
      // Without the database nobody knows whether workers run; once it is back, they get their time.
      .catch((error: unknown) => {
        missingSinceMs = null;
        logger.warn({ err: error }, 'It could not be checked whether workers are running');
      })
      .finally(() => {
        if (!isClosed) timer = setTimeout(tick, LOOK_EVERY_MS).unref();
      });
  };
  let timer = setTimeout(tick, LOOK_EVERY_MS).unref();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
