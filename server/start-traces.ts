import { extname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { makesTraces } from '#lib/core/trace-settings.ts';
import type * as Traces from './traces.ts';

/** Time for the last export when the process stops. */
const LAST_EXPORT_MS = 2000;

/** Loads OpenTelemetry and traces this process if configured (docs/operations.md, "Traces"); otherwise nothing is loaded. */
export async function startTraces(
  { settings, db, logger }: Pick<ProcessRuntime, 'settings' | 'db' | 'logger'>,
  part: 'web' | 'worker',
): Promise<{ close(): Promise<void> } | undefined> {
  if (!makesTraces(settings)) return undefined;
  const program = new URL(`traces${extname(import.meta.filename)}`, import.meta.url).href;
  const { openTraces } = (await import(program)) as typeof Traces;
  const traces = openTraces({ part, settings, pool: db.$client, logger });
  return {
    async close() {
      await Promise.race([
        traces.close().catch(() => undefined),
        wait(LAST_EXPORT_MS, undefined, { ref: false }),
      ]);
    },
  };
}
