// Attempts are counted before the password is looked at, in the database, so that they count over all processes.
import { createHash } from 'node:crypto';
import { eq, lt, sql } from 'drizzle-orm';
import type { Database } from '#lib/db/client.ts';
import { signInAttempts } from '#lib/db/schema/accounts.ts';
import { AppError } from '#lib/errors.ts';

const WINDOW_SECONDS = 900;
/** Few from one place for one account; more for an account from anywhere, so that nobody can lock others out lightly. */
const LIMITS = { pair: 10, email: 50, address: 100 };

export interface Attempt {
  /** Lower case. */
  email: string;
  /** The caller's network address. */
  address: string;
}

const pairKey = ({ email, address }: Attempt): string => keyOf('pair', email, address);

/** Hashed: what people type into the wrong field is not kept. */
const keyOf = (...parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** Counts an attempt. @throws AppError `rate_limited` with the seconds until the next one is allowed. */
export async function countAttempt(db: Database, attempt: Attempt): Promise<void> {
  const counted: [string, number][] = [
    [pairKey(attempt), LIMITS.pair],
    [keyOf('email', attempt.email), LIMITS.email],
    [keyOf('address', attempt.address), LIMITS.address],
  ];
  await db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, sql`now()`));
  // One after the other in a fixed order of keys, so that two attempts never wait for each other.
  const sorted = counted.sort(([a], [b]) => (a < b ? -1 : 1));
  let waitSeconds = 0;
  for (const [key, limit] of sorted) waitSeconds = Math.max(waitSeconds, await count(db, key, limit));
  if (waitSeconds === 0) return;
  const minutes = Math.ceil(waitSeconds / 60);
  const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
  throw new AppError('rate_limited', `Too many attempts to sign in: try again ${when}.`, {
    retryAfterSeconds: waitSeconds,
  });
}

/** After the right password: the wrong ones before it from the same place are forgiven. */
export async function forgiveAttempts(db: Database, attempt: Attempt): Promise<void> {
  await db.delete(signInAttempts).where(eq(signInAttempts.key, pairKey(attempt)));
}

/** @returns the seconds to wait, 0 while there are attempts left. */
async function count(db: Database, key: string, limit: number): Promise<number> {
  const windowEndsAt = sql`now() + ${WINDOW_SECONDS} * interval '1 second'`;
  const [row] = await db
    .insert(signInAttempts)
    .values({ key, count: 1, windowEndsAt })
    .onConflictDoUpdate({ target: signInAttempts.key, set: { count: sql`${signInAttempts.count} + 1` } })
    .returning({
      count: signInAttempts.count,
      seconds: sql<number>`greatest(1, ceil(extract(epoch from ${signInAttempts.windowEndsAt} - now())))::int`,
    });
  return row && row.count > limit ? row.seconds : 0;
}
