import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { identityRequired, mayUsePassword } from '#lib/identity/sign-in-policy/may-use-password.ts';
import { verifyPassword } from './password.ts';
import { PasswordQueue } from './password-queue.ts';
import { type Attempt, countAttempt, clearAttempts } from './sign-in-attempts.ts';

/** One per process. */
const passwordQueue = new PasswordQueue();

/**
 * Verifies an email address and password. Unknown addresses take as long and get the same error as wrong passwords.
 * @throws AppError `unauthorized`, `rate_limited`; `forbidden` for a right password where the identity provider is required
 */
export async function signInWithPassword(
  db: Database,
  { password, ...attempt }: Attempt & { password: string },
): Promise<{ id: string; email: string }> {
  await countAttempt(db, attempt);
  const [user] = await db.select().from(users).where(eq(users.email, attempt.email));
  const isRight = await passwordQueue.run(attempt.browserId ?? attempt.address, () =>
    verifyPassword(password, user?.passwordHash ?? null),
  );
  if (!isRight || !user) {
    throw new AppError('unauthorized', 'The email address or the password is wrong.');
  }
  await clearAttempts(db, attempt);
  if (!(await mayUsePassword(db, user.id))) throw identityRequired();
  return { id: user.id, email: user.email };
}
