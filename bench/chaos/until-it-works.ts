import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 100;
const PATIENCE_MS = 60_000;

/** Retries an operation while something is broken. @throws the last error after a minute of failures */
export async function untilItWorks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}
