// Failed sign-ins slow down whoever makes them, and nobody else (docs/decisions/sign-in-limits.md).
import { lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#lib/core/db/client.ts';
import { signInLimits } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { hashLimitKey, limitStore, networkOf, waitWords } from './limit-store.ts';

/** Failures without a pause after them. */
const FREE_FAILURES = 5;
const LONGEST_PAUSE_SECONDS = 900;
/** After this time from the first of them, failures are forgotten. */
const FORGET_SECONDS = 86_400;

export interface Attempt {
  /** Lower case. */
  email: string;
  /** The caller's network address. */
  address: string;
  /** The browser, if the account was signed in to from it before. */
  browserId?: string | undefined;
}

/** How many failures there were, and whether there is a pause after them. */
function limitersOf(db: Database): { failures: RateLimiterPostgres; pauses: RateLimiterPostgres } {
  const store = limitStore(db);
  return {
    failures: new RateLimiterPostgres({
      ...store,
      keyPrefix: 'failures',
      points: FREE_FAILURES,
      duration: FORGET_SECONDS,
    }),
    pauses: new RateLimiterPostgres({
      ...store,
      keyPrefix: 'pause',
      points: 1,
      duration: LONGEST_PAUSE_SECONDS,
    }),
  };
}

/**
 * Counts an attempt before its password is checked, so that many at once are not one each. What is refused is not
 * counted and makes no pause longer.
 * @throws AppError `rate_limited` with the seconds until the next attempt is allowed
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<void> {
  const key = keyOf(attempt);
  const { failures, pauses } = limitersOf(db);
  await db.delete(signInLimits).where(lt(signInLimits.expire, Date.now()));
  const pause = await pauses.get(key);
  if (pause) throw tooManyAttempts(pause);
  const { consumedPoints } = await failures.penalty(key);
  if (consumedPoints <= FREE_FAILURES) return;
  try {
    await pauses.consume(key, 1, { customDuration: pauseSecondsAfter(consumedPoints) });
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    await failures.reward(key);
    throw tooManyAttempts(refused);
  }
}

/** 2 seconds after the first failure too many, and each time twice as long. */
const pauseSecondsAfter = (failures: number): number =>
  Math.min(2 ** (failures - FREE_FAILURES), LONGEST_PAUSE_SECONDS);

/** After the right password: the wrong ones before it are forgiven. */
export async function clearAttempts(db: Database, attempt: Attempt): Promise<void> {
  const key = keyOf(attempt);
  const { failures, pauses } = limitersOf(db);
  await Promise.all([failures.delete(key), pauses.delete(key)]);
}

/** Hashed: what people type into the wrong field is not kept. */
function keyOf({ email, address, browserId }: Attempt): string {
  const from = browserId === undefined ? ['address', networkOf(address)] : ['browser', browserId];
  return hashLimitKey([email, ...from]);
}

function tooManyAttempts({ msBeforeNext }: RateLimiterRes): AppError {
  const { seconds, words } = waitWords(msBeforeNext);
  return new AppError('rate_limited', `Too many failed attempts to sign in. Try again in ${words}.`, {
    retryAfterSeconds: seconds,
  });
}
