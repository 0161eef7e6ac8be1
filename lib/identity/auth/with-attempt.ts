import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { type Attempt, clearAttempts, countAttempt } from './sign-in-attempts.ts';

/**
 * Limits how often a caller may fail. Success clears earlier failures; internal failures, such as an unavailable database,
 * are not counted.
 * @throws AppError `rate_limited`, and errors of `work`
 */
export async function withAttempt<Result>(
  db: Database,
  attempt: Attempt,
  work: () => Promise<Result>,
): Promise<Result> {
  await countAttempt(db, attempt);
  let isCounted = false;
  try {
    return await work();
  } catch (error) {
    isCounted = error instanceof AppError;
    throw error;
  } finally {
    if (!isCounted) await clearAttempts(db, attempt);
  }
}
