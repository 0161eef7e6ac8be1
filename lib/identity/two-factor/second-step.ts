import type { AccountContext } from '#lib/identity/context.ts';
import { and, eq, gt, lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import type { SecondStep } from '#lib/identity/auth/second-step-provider.ts';
import { hashLimitKey, limitStore, withAttempt } from '#lib/identity/auth/sign-in-attempts.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { signInChallenges } from '#lib/identity/schema/sign-in.ts';
import { type Account, codeOf } from './context.ts';
import { useCode } from './use-code.ts';
import { CHALLENGE_SECONDS } from '#lib/identity/auth/provider-names.ts';
import { hasTwoFactor } from './find-two-factor.ts';

/** Of an account, from all unknown browsers together. */
const WRONG_CODES_A_DAY = 30;
const DAY_SECONDS = 86_400;

/**
 * Verifies a challenge and its code, and uses both up.
 * @throws AppError `unauthorized` when the challenge has ended, `invalid_request` for a wrong code, `rate_limited`
 */
export async function finishSecondStep(
  ctx: AccountContext,
  { token, code, address, browserIdOf }: SecondStep,
): Promise<Account> {
  const account = await findAccount(ctx.db, token);
  const browserId = browserIdOf(account.email);
  await withAttempt(ctx.db, { email: codeOf(account), address, browserId }, async () => {
    if (browserId === undefined) await countForAccount(ctx.db, account.id);
    await ctx.db.transaction(async (tx) => {
      const ended = await tx
        .delete(signInChallenges)
        .where(eq(signInChallenges.tokenHash, hashToken(token)))
        .returning();
      if (ended.length === 0) throw expired();
      await useCode(tx, ctx, account, code);
    });
  });
  await accountLimit(ctx.db).delete(hashLimitKey([account.id]));
  return account;
}

async function findAccount(db: Database, token: string): Promise<Account> {
  const [account] = await db
    .select({ id: users.id, email: users.email })
    .from(signInChallenges)
    .innerJoin(users, eq(users.id, signInChallenges.userId))
    .where(and(eq(signInChallenges.tokenHash, hashToken(token)), gt(signInChallenges.expiresAt, new Date())));
  if (!account) throw expired();
  return account;
}

/**
 * Six digits are few: an attacker with the password and many addresses must not have as many attempts
 * (decisions/two-factor.md).
 */
async function countForAccount(db: Database, userId: string): Promise<void> {
  try {
    await accountLimit(db).consume(hashLimitKey([userId]));
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    throw new AppError(
      'rate_limited',
      'Too many wrong codes for this account today. Use a browser in which you signed in before, or try again tomorrow.',
      { retryAfterSeconds: Math.ceil(refused.msBeforeNext / 1000) },
    );
  }
}

const accountLimit = (db: Database): RateLimiterPostgres =>
  new RateLimiterPostgres({
    ...limitStore(db),
    keyPrefix: 'codes',
    points: WRONG_CODES_A_DAY,
    duration: DAY_SECONDS,
  });

const expired = (): AppError =>
  new AppError('unauthorized', 'This sign-in took too long. Enter your password again.');

// Sign-in with a second factor: the right password creates a challenge, which is not a session; the code exchanges it for
// one.

/**
 * Called after the right password.
 * @returns the token of a challenge, for the browser's cookie; null: this account needs no second step
 */
export async function startSecondStep(db: Database, userId: string): Promise<string | null> {
  if (!(await hasTwoFactor(db, userId))) return null;
  const token = newToken();
  await db.delete(signInChallenges).where(lt(signInChallenges.expiresAt, new Date()));
  await db.insert(signInChallenges).values({
    tokenHash: hashToken(token),
    userId,
    expiresAt: new Date(Date.now() + CHALLENGE_SECONDS * 1000),
  });
  return token;
}
