import { DrizzleQueryError } from 'drizzle-orm';
import type { Logger } from 'pino';
import { backoffMs } from '../backoff.ts';
import type { Pool } from './client.ts';

const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/**
 * SQLSTATE 08 (connection), 53 (out of connections, memory or disk), 57P (shutting down, starting up), 58 (system error),
 * 25006 (currently a standby), 25P03 (a transaction was idle for too long); see PostgreSQL's appendix "Error Codes".
 */
const UNAVAILABLE_STATES = /^(08|53|57P|58)...?$|^25(006|P03)$/;
const UNAVAILABLE_MESSAGES =
  /connection (terminated|ended)|timeout exceeded when trying to connect|query read timeout|not queryable/i;

/**
 * Whether a statement failed because of the state of the database: it was unreachable, disconnected or cannot write now, so
 * that the same statement may work later. Also recognizes errors that drizzle has wrapped.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code !== '') return SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code);
  if (error instanceof DrizzleQueryError) return isDatabaseUnavailable(error.cause);
  return UNAVAILABLE_MESSAGES.test(error.message);
}

const PAUSES = { firstMs: 50, longestMs: 1000 };

/**
 * Repeats an idempotent statement until the database can execute it.
 * @param signal once aborted, the next failure is thrown.
 * @throws what the statement throws, unless the database is unavailable
 */
export async function retryWhileUnavailable<Result>(
  execute: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await execute();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || signal?.aborted) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, PAUSES)));
  }
}

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
