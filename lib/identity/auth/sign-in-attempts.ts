// Failed sign-ins slow down their caller, and nobody else (docs/decisions/sign-in-limits.md).
import { lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#lib/core/db/client.ts';
import { signInLimits } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { hashLimitKey, limitStore, networkOf, waitWords } from './limit-store.ts';

/** Failures before the first pause. */
const FREE_FAILURES = 5;
const LONGEST_PAUSE_SECONDS = 900;
/** Failures are forgotten at this time after the first. */
const FORGET_SECONDS = 86_400;

export interface Attempt {
  /** Lower case. */
  email: string;
  /** The caller's network address. */
  address: string;
  /** The browser, if the account has signed in from it before. */
  browserId?: string | undefined;
}

/** Limiters of failures, and of the pauses after them. */
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
 * Counts an attempt before its password is verified, so that concurrent attempts all count. Refused ones are not counted and
 * do not extend the pause.
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

/** 2 seconds after the first failure too many, doubled each time. */
const pauseSecondsAfter = (failures: number): number =>
  Math.min(2 ** (failures - FREE_FAILURES), LONGEST_PAUSE_SECONDS);

/** After the right password: clears the failures before it. */
export async function clearAttempts(db: Database, attempt: Attempt): Promise<void> {
  const key = keyOf(attempt);
  const { failures, pauses } = limitersOf(db);
  await Promise.all([failures.delete(key), pauses.delete(key)]);
}

/** Hashed, because people type passwords into the wrong field. */
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
