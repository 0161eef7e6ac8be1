import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { endOtherSessions } from './user-sessions.ts';

export interface PasswordChange {
  userId: string;
  /** The session that stays; all others of the user end. */
  sessionId: string;
  /** Ignored for accounts that have none yet (those of the identity provider). */
  currentPassword: string;
  newPassword: string;
}

/** Sets a new password. @throws AppError `invalid_request` when the current one is wrong. */
export async function changePassword(
  db: Database,
  change: PasswordChange,
): Promise<{ endedSessions: number }> {
  const { userId, sessionId, currentPassword, newPassword } = change;
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new AppError('not_found', 'This account does not exist.');
  if (user.passwordHash !== null && !(await verifyPassword(currentPassword, user.passwordHash))) {
    throw new AppError('invalid_request', 'The current password is wrong.', {
      problems: [{ path: 'currentPassword', message: 'This is not your current password.' }],
    });
  }
  const passwordHash = await hashPassword(newPassword);
  return db.transaction(async (tx) => {
    await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
    return { endedSessions: await endOtherSessions(tx, { userId, sessionId }) };
  });
}
