// Starts threads with their own event loop, so that the load of the measuring thread is not measured.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Flooded, FloodOptions } from './flood.ts';
import type { SlowSocketsOptions, SlowSocketsReport } from './slow-sockets.ts';

/** @param onSent called when the last request has been sent, before the last responses */
export async function flood(options: FloodOptions, onSent: () => void = () => undefined): Promise<Flooded> {
  const worker = new Worker(new URL('flood.ts', import.meta.url), { workerData: options });
  const flooded = await new Promise<Flooded>((resolve, reject) => {
    worker.once('error', reject);
    worker.on('message', (message: Flooded | 'sent') => {
      if (message === 'sent') onSent();
      else resolve(message);
    });
  });
  await worker.terminate();
  return flooded;
}

/** Opens them; settles when all are open. */
export async function openSlowSockets(
  options: SlowSocketsOptions,
): Promise<{ close(): Promise<SlowSocketsReport> }> {
  const worker = new Worker(new URL('slow-sockets.ts', import.meta.url), { workerData: options });
  await once(worker, 'message');
  return {
    async close() {
      const reported = once(worker, 'message') as Promise<[SlowSocketsReport]>;
      worker.postMessage('close');
      const [report] = await reported;
      await worker.terminate();
      return report;
    },
  };
}
