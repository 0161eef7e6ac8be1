// Failed sign-ins slow down whoever makes them, and nobody else (docs/decisions/sign-in-limits.md).
import { createHash } from 'node:crypto';
import { lt } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#lib/core/db/client.ts';
import { signInLimits } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';

/** Failures without a pause after them. */
const FREE_FAILURES = 5;
const LONGEST_PAUSE_SECONDS = 900;
/** After this time from the first of them, failures are forgotten. */
const FORGET_SECONDS = 86_400;
/** What providers give one customer at least (RFC 6177). */
const IPV6_CUSTOMER_BITS = 64;

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
  const store = {
    storeClient: db.$client,
    storeType: 'pool',
    tableName: 'sign_in_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  };
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
  return createHash('sha256')
    .update(JSON.stringify([email, ...from]))
    .digest('base64url');
}

/** An IPv6 customer has more addresses than could be counted one by one. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${IPV6_CUSTOMER_BITS}`).toString();
}

function tooManyAttempts({ msBeforeNext }: RateLimiterRes): AppError {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new AppError(
    'rate_limited',
    `Too many failed attempts to sign in. Try again in ${amount} ${unit}${amount === 1 ? '' : 's'}.`,
    { retryAfterSeconds: seconds },
  );
}
