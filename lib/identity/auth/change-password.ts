import { and, eq, sql } from 'drizzle-orm';
import { users } from '#lib/identity/schema/accounts.ts';
import { signInChallenges } from '#lib/identity/schema/two-factor.ts';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { clearAttempts, countAttempt } from './sign-in-attempts.ts';
import { endOtherSessions } from './user-sessions.ts';

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
