import { isDatabaseUnavailable } from './database-unavailable.ts';

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * Repeats an idempotent statement until the database can execute it.
 * @param signal once aborted, the next failure is thrown.
 * @throws what the statement throws, unless the database is unavailable
 */
export async function retryWhileUnavailable<Result>(
  execute: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await execute();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || signal?.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
