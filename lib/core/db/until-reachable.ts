import type { Logger } from 'pino';
import type { Pool } from './client.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

/** Waits until the database answers, so that a process can start while it is unavailable. */
export async function untilReachable(pool: Pool, logger: Logger): Promise<void> {
  let isSaid = false;
  await retryWhileUnavailable(async () => {
    try {
      await pool.query('select 1');
    } catch (error) {
      if (!isSaid) logger.warn({ err: error }, 'The database cannot be reached, waiting for it');
      isSaid = true;
      throw error;
    }
  });
}
