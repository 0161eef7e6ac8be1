// "Forgot your password?": the response and its time are the same whether or not the account exists.
import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, isNotNull, lt } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { passwordResets, signInLimits, users } from '#lib/identity/schema/accounts.ts';
import { mayUsePassword } from '#lib/identity/sign-in-policy/may-use-password.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { hashLimitKey, limitStore, networkOf, waitWords } from './limit-store.ts';

const VALID_SECONDS = 3600;
const LIMIT_SECONDS = 3600;
const REQUESTS_PER_ACCOUNT = 3;
const REQUESTS_PER_NETWORK = 20;
/** Longer than queuing the mail takes. */
const ANSWER_AFTER_MS = 400;

export interface ResetRequest {
  /** Lower case. */
  email: string;
  /** The caller's network address. */
  address: string;
}

/**
 * Mails a link that sets a new password, if there is such an account and it may sign in with a password.
 * @throws AppError `rate_limited`, whether or not there is one
 */
export async function requestPasswordReset(
  ctx: { db: Database; secrets: SecretBox; baseUrl: string },
  { email, address }: ResetRequest,
): Promise<void> {
  await countRequest(ctx.db, { email, address });
  await Promise.all([mailLink(ctx, email), pause(ANSWER_AFTER_MS)]);
}

/** Removes links that have expired. */
export async function prunePasswordResets(db: Database): Promise<void> {
  await db.delete(passwordResets).where(lt(passwordResets.expiresAt, new Date()));
}

async function mailLink(
  { db, secrets, baseUrl }: { db: Database; secrets: SecretBox; baseUrl: string },
  email: string,
): Promise<void> {
  const [user] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.email, email), isNotNull(users.passwordHash)));
  if (!user || !(await mayUsePassword(db, user.id))) return;
  const token = newToken();
  await db.transaction(async (tx) => {
    await tx.insert(passwordResets).values({
      tokenHash: hashToken(token),
      userId: user.id,
      expiresAt: new Date(Date.now() + VALID_SECONDS * 1000),
    });
    await queueMail(tx, secrets, {
      kind: 'password_reset',
      to: email,
      usefulSeconds: VALID_SECONDS,
      subject: 'Reset your Patchbay password',
      paragraphs: [
        'Someone asked for a new password for your Patchbay account. The link works once, for one hour.',
        'If it was not you, ignore this email: your password stays as it is.',
      ],
      link: { label: 'Set a new password', url: `${baseUrl}/reset-password/${token}` },
    });
  });
}

async function countRequest(db: Database, { email, address }: ResetRequest): Promise<void> {
  await db.delete(signInLimits).where(lt(signInLimits.expire, Date.now()));
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({ ...limitStore(db), keyPrefix, points, duration: LIMIT_SECONDS });
  try {
    await limiter('reset-from', REQUESTS_PER_NETWORK).consume(hashLimitKey([networkOf(address)]));
    await limiter('reset', REQUESTS_PER_ACCOUNT).consume(hashLimitKey([email]));
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    const { seconds, words } = waitWords(refused.msBeforeNext);
    throw new AppError('rate_limited', `Too many requests for a new password. Try again in ${words}.`, {
      retryAfterSeconds: seconds,
    });
  }
}
