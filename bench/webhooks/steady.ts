// Plain webhooks at a steady rate, beside something else.
import { once } from 'node:events';
import { startProcess } from '#lib/testing/start-process.ts';

export interface SteadyLoad {
  /** Answered by 200. */
  accepted: number;
  perSecond: number;
  errors: number;
  p50Ms: number;
  p99Ms: number;
}

/** Posts the order at a rate for as long as some work takes. */
export async function besideSteadyLoad<Result>(
  url: string,
  rate: number,
  work: () => Promise<Result>,
): Promise<Result & { plain: SteadyLoad }> {
  const generator = await startProcess('bench/servers/steady.ts', { URL: url, RATE: String(rate) });
  try {
    generator.child.send('start');
    const result = await work();
    const reported = once(generator.child, 'message') as Promise<[SteadyLoad]>;
    generator.child.send('stop');
    const [plain] = await reported;
    return { ...result, plain };
  } finally {
    await generator.stop();
  }
}
