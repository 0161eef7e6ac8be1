// Before an account's sign-in methods change, the user proves again who they are.
import { eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { withAttempt } from '#lib/identity/auth/sign-in-attempts.ts';
import { verifyPassword } from '#lib/identity/auth/password.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { type AccountSession, codeOf } from './context.ts';
import { hasTwoFactor } from './find-two-factor.ts';
import { useCode } from './use-code.ts';

/**
 * Verifies the password; failures are counted per browser, as at the sign-in.
 * @throws AppError `invalid_request` at `password`, `conflict` for accounts without one, `rate_limited`
 */
export async function assertPassword(
  { db }: Pick<AccountContext, 'db'>,
  { id, email, sessionId }: AccountSession,
  password: string,
): Promise<void> {
  const [user] = await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, id));
  if (!user?.hash)
    throw new AppError('conflict', 'Your account has no password: its identity provider signs you in.');
  const { hash } = user;
  await withAttempt(db, attemptIn(email, sessionId), async () => {
    if (await verifyPassword(password, hash)) return;
    throw new AppError('invalid_request', 'The password is wrong.', {
      problems: [{ path: 'password', message: 'This is not your password.' }],
    });
  });
}

/**
 * Verifies password and code, uses the code up, and runs `work`, all or nothing.
 * @throws AppError of `assertPassword` and `useCode`, `conflict` when there is no second factor
 */
export async function withProof<Result>(
  ctx: AccountContext,
  session: AccountSession,
  { password, code }: { password: string; code: string },
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (!(await hasTwoFactor(ctx.db, session.id)))
    throw new AppError('conflict', 'Two-factor sign-in is off. Reload the page.');
  await assertPassword(ctx, session, password);
  return withAttempt(ctx.db, attemptIn(codeOf(session), session.sessionId), () =>
    ctx.db.transaction(async (tx) => {
      await useCode(tx, ctx, session, code);
      return work(tx);
    }),
  );
}

const attemptIn = (email: string, sessionId: string) => ({
  email,
  address: 'unknown',
  browserId: `session ${sessionId}`,
});
