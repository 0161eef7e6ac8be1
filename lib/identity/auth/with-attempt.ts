import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { type Attempt, clearAttempts, countAttempt } from './sign-in-attempts.ts';

/**
 * Does what a caller may fail at a few times only. Success forgives earlier failures; a failure of ours, such as a
 * database that is away, is not counted.
 * @throws AppError `rate_limited`, and what `work` throws
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
