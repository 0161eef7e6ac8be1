// Failed sign-ins slow down whoever makes them, and nobody else (docs/decisions/sign-in-limits.md).
import { createHash } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import type { Database } from '#lib/core/db/client.ts';
import { signInAttempts } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';

/** Failures without a pause after them. */
const FREE_FAILURES = 5;
const LONGEST_PAUSE_SECONDS = 900;
/** After this time without an attempt the failures before it are forgotten. */
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

/**
 * Counts an attempt before its password is looked at, so that many at once are not one each. What is refused is not
 * counted and prolongs nothing.
 * @throws AppError `rate_limited` with the seconds until the next attempt is allowed
 */
export async function countAttempt(db: Database, attempt: Attempt): Promise<void> {
  const key = keyOf(attempt);
  await db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, sql`now()`));
  const windowEndsAt = sql`now() + ${FORGET_SECONDS} * interval '1 second'`;
  const next = sql`${signInAttempts.count} + 1`;
  const pause = sql`case when ${next} <= ${FREE_FAILURES} then 0
    else least(2 ^ least(${next} - ${FREE_FAILURES}, 20), ${LONGEST_PAUSE_SECONDS}) end`;
  const counted = await db
    .insert(signInAttempts)
    .values({ key, count: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: signInAttempts.key,
      set: { count: next, nextAttemptAt: sql`now() + ${pause} * interval '1 second'`, windowEndsAt },
      setWhere: sql`${signInAttempts.nextAttemptAt} <= now()`,
    })
    .returning({ key: signInAttempts.key });
  if (counted.length === 0) throw tooManyAttempts(await secondsUntilNext(db, key));
}

/** After the right password: the wrong ones before it are forgiven. */
export async function forgiveAttempts(db: Database, attempt: Attempt): Promise<void> {
  await db.delete(signInAttempts).where(eq(signInAttempts.key, keyOf(attempt)));
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

async function secondsUntilNext(db: Database, key: string): Promise<number> {
  const [row] = await db
    .select({
      seconds: sql<number>`greatest(1, ceil(extract(epoch from ${signInAttempts.nextAttemptAt} - now())))::int`,
    })
    .from(signInAttempts)
    .where(eq(signInAttempts.key, key));
  return row?.seconds ?? 1;
}

function tooManyAttempts(seconds: number): AppError {
  const [amount, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new AppError(
    'rate_limited',
    `Too many failed attempts to sign in. Try again in ${amount} ${unit}${amount === 1 ? '' : 's'}.`,
    { retryAfterSeconds: seconds },
  );
}
