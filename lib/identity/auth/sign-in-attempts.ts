// Failed sign-ins slow down only their caller (docs/decisions/sign-in-limits.md).
import { createHash } from 'node:crypto';
import { lt } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { forwardedAddress } from '#lib/core/http/caller-address.ts';
import { signInLimits } from '#lib/identity/schema/accounts.ts';

// Shared by the limits of sign-ins and of password resets: the table, and what counts as one caller.

/** The smallest prefix that providers assign to a customer (RFC 6177). */
const IPV6_CUSTOMER_BITS = 64;

/** Options of rate-limiter-flexible: its rows are in the database, so that all processes count together. */
export const limitStore = (db: Database) => ({
  storeClient: db.$client,
  storeType: 'pool',
  tableName: 'sign_in_limits',
  tableCreated: true,
  clearExpiredByTimeout: false,
});

/** Hashed, because people type passwords into the wrong field. */
export const hashLimitKey = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** IPv6 addresses are counted by network, because a customer has too many of them. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_CUSTOMER_BITS}`).toString();
}

/** A wait in seconds and in words. */
export function waitWords(milliseconds: number): { seconds: number; words: string } {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return { seconds, words: `${amount} ${unit}${amount === 1 ? '' : 's'}` };
}

/** The address that attempts are counted by. @param forwarded the request's `X-Forwarded-For` */
export const addressOf = (forwarded: unknown): string =>
  (typeof forwarded === 'string' ? forwardedAddress(forwarded) : undefined) ?? 'unknown';

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
