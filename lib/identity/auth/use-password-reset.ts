import { and, eq, gt } from 'drizzle-orm';
import { hashToken } from '#lib/core/crypto/token.ts';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { passwordResets, users } from '#lib/identity/schema/accounts.ts';
import { mayUsePassword } from '#lib/identity/sign-in-policy/may-use-password.ts';
import { removeUnprovenSignIns } from '#lib/identity/unproven-address.ts';
import { hashPassword } from './password.ts';
import { replacePassword } from './reset-password.ts';

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
 * the address: where it was unproven before, existing passkeys may be somebody else's, and are deleted.
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
