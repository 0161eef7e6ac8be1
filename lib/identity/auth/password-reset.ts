import { setTimeout as pause } from 'node:timers/promises';
import { and, eq, gt, isNotNull, lt, sql } from 'drizzle-orm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { SecretBox } from '#lib/core/crypto/secret-box.ts';
import { hashToken, newToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { findAccount, removeUnprovenSignIns } from '#lib/identity/accounts.ts';
import { COMMAND_LINE, recordAudit, recordForAccount } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import type { NewAccount } from '#lib/identity/members/schema.ts';
import { passwordResets, signInLimits, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { signInChallenges } from '#lib/identity/schema/sign-in.ts';
import { mayUsePassword } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { hashPassword, verifyPassword } from './password.ts';
import {
  clearAttempts,
  countAttempt,
  hashLimitKey,
  limitStore,
  networkOf,
  waitWords,
} from './sign-in-attempts.ts';
import { endOtherSessions } from './user-sessions.ts';

// "Forgot your password?": the response and its time are the same whether or not the account exists.

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

/**
 * Sets an account's password without the current one, and signs it out everywhere: for an administrator of the machine.
 * Recorded in the audit log of each of its workspaces.
 * @throws AppError `not_found`
 */
export async function resetPassword(
  db: Database,
  { email, password }: NewAccount,
): Promise<{ endedSessions: number }> {
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const user = await findAccount(tx, email);
    return replacePassword(tx, { user, passwordHash, actor: COMMAND_LINE });
  });
}

/** Sets the hash, ends all sessions and mailed links of the account, and records it in each of its workspaces. */
async function replacePassword(
  tx: Transaction,
  {
    user,
    passwordHash,
    actor,
    name,
  }: { user: { id: string; email: string }; passwordHash: string; actor: string; name?: string | undefined },
): Promise<{ endedSessions: number }> {
  await tx.update(users).set({ passwordHash }).where(eq(users.id, user.id));
  await recordForAccount(tx, { account: user, actor, action: 'password.reset', name });
  await tx.delete(signInChallenges).where(eq(signInChallenges.userId, user.id));
  await tx.delete(passwordResets).where(eq(passwordResets.userId, user.id));
  const ended = await tx
    .delete(userSessions)
    .where(eq(userSessions.userId, user.id))
    .returning({ id: userSessions.id });
  return { endedSessions: ended.length };
}

const openReset = (token: string) =>
  and(eq(passwordResets.tokenHash, hashToken(token)), gt(passwordResets.expiresAt, new Date()));

/** The account of a link; null when it was used, has expired, never existed, or the account may not use a password. */
export async function findPasswordReset(db: Database, token: string): Promise<{ email: string } | null> {
  const [found] = await db
    .select({ userId: users.id, email: users.email })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(openReset(token));
  return found && (await mayUsePassword(db, found.userId)) ? { email: found.email } : null;
}

/**
 * Sets a new password with a mailed link, ends all sessions of the account, and invalidates its other links. The link proves
 * the address: where it was unproven before, existing passkeys may be another person's, and are deleted.
 * @throws AppError `not_found` when the link was used or has expired
 */
export async function usePasswordReset(
  db: Database,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  // Checked before the slow hash, so that requests without a link are cheap.
  if (!(await findPasswordReset(db, token))) throw unusable();
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [used] = await tx.delete(passwordResets).where(openReset(token)).returning();
    if (!used) throw unusable();
    const [user] = await tx.select().from(users).where(eq(users.id, used.userId));
    if (!user || !(await mayUsePassword(tx, user.id))) throw unusable();
    const removed = await removeUnprovenSignIns(tx, user.id);
    const name = removed
      ? `${user.email} (earlier sign-ins without a verified address were removed)`
      : undefined;
    await replacePassword(tx, { user, passwordHash, actor: user.id, name });
    return { email: user.email };
  });
}

const unusable = (): AppError =>
  new AppError('not_found', 'This link was already used or has expired. Request a new one.');

/** Counted separately from sign-ins, so that neither blocks the other. */
const ATTEMPTS_FROM = 'change of password';

export interface PasswordChange {
  userId: string;
  /** The session that is kept; all others of the user end. */
  sessionId: string;
  /** Ignored for accounts without a password (those of the identity provider). */
  currentPassword: string;
  newPassword: string;
}

/**
 * Sets a new password. Passwords are hashed outside the transaction, because that is slow. Attempts are limited as at the
 * sign-in: a stolen session must not allow guessing.
 * @throws AppError `invalid_request` when the current one is wrong; `conflict` when it was changed at the same time;
 *   `rate_limited`
 */
export async function changePassword(
  ctx: Pick<ActorContext, 'db' | 'workspaceId' | 'actor'>,
  { userId, sessionId, currentPassword, newPassword }: PasswordChange,
): Promise<{ endedSessions: number }> {
  const [user] = await ctx.db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new AppError('not_found', 'This account does not exist.');
  const attempt = { email: user.email, address: ATTEMPTS_FROM };
  if (user.passwordHash !== null) await countAttempt(ctx.db, attempt);
  if (user.passwordHash !== null && !(await verifyPassword(currentPassword, user.passwordHash))) {
    throw new AppError('invalid_request', 'The current password is wrong.', {
      problems: [{ path: 'currentPassword', message: 'This is not your current password.' }],
    });
  }
  await clearAttempts(ctx.db, attempt);
  const passwordHash = await hashPassword(newPassword);
  return ctx.db.transaction(async (tx) => {
    const changed = await tx
      .update(users)
      .set({ passwordHash })
      .where(and(eq(users.id, userId), sql`${users.passwordHash} is not distinct from ${user.passwordHash}`))
      .returning({ id: users.id });
    if (changed.length === 0)
      throw new AppError('conflict', 'Your password was just changed elsewhere. Try again.');
    await tx.delete(signInChallenges).where(eq(signInChallenges.userId, userId));
    await recordAudit(ctx, tx, 'password.changed', { id: userId, name: user.email });
    return { endedSessions: await endOtherSessions(tx, { userId, sessionId }) };
  });
}
