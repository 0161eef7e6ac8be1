import type { AccountContext } from '#lib/identity/context.ts';
import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import { endOtherSessions } from '#lib/identity/auth/user-sessions.ts';
import { twoFactor } from '#lib/identity/schema/two-factor.ts';
import { type AccountSession, totpBinding } from './context.ts';
import { assertPassword } from './prove.ts';
import { replaceCodes } from './recovery-codes.ts';
import { findTotpStep, makeTotpSecret, totpUri } from './totp.ts';
import { wrongCode } from './use-code.ts';

/** How long a new key can be confirmed. */
const SET_UP_MS = 3_600_000;

export interface NewKey {
  /** Base32, for apps without a camera. */
  key: string;
  uri: string;
}

/**
 * Creates a key for an authenticator app. Nothing changes until one of its codes is confirmed.
 * @param password null: it was entered a moment ago, at sign-in
 * @throws AppError `conflict` when there is a second factor already; those of `assertPassword`
 */
export async function startSetUp(
  ctx: AccountContext,
  session: AccountSession,
  { password }: { password: string | null },
): Promise<NewKey> {
  if (password !== null) await assertPassword(ctx, session, password);
  const key = makeTotpSecret();
  const pending = { secret: ctx.secrets.seal(key, totpBinding(session.id)), createdAt: new Date() };
  const made = await ctx.db
    .insert(twoFactor)
    .values({ userId: session.id, ...pending })
    .onConflictDoUpdate({
      target: twoFactor.userId,
      set: pending,
      setWhere: isNull(twoFactor.confirmedAt),
    })
    .returning({ userId: twoFactor.userId });
  if (made.length === 0) throw new AppError('conflict', 'Two-factor sign-in is already on. Reload the page.');
  return { key, uri: totpUri(key, session.email) };
}

/**
 * Turns two-factor sign-in on with the first code of the app, and signs the account out in all other browsers.
 * @returns the recovery codes, which are shown once
 * @throws AppError `invalid_request` at `code`, `conflict` when the key was not created within the last hour
 */
export async function confirmSetUp(
  ctx: AccountContext,
  session: AccountSession,
  { code }: { code: string },
): Promise<{ recoveryCodes: string[] }> {
  const isPending = and(
    eq(twoFactor.userId, session.id),
    isNull(twoFactor.confirmedAt),
    gt(twoFactor.createdAt, new Date(Date.now() - SET_UP_MS)),
  );
  return ctx.db.transaction(async (tx) => {
    const [found] = await tx.select().from(twoFactor).where(isPending).for('update');
    if (!found) throw new AppError('conflict', 'This key can no longer be used. Start the setup again.');
    const secret = ctx.secrets.open(found.secret, totpBinding(session.id));
    const step = findTotpStep(secret, code.replace(/\s/g, ''), Date.now());
    if (step === null)
      throw wrongCode(
        'This code is wrong. Enter the code that your app shows now, and check the clock of your device.',
      );
    await tx
      .update(twoFactor)
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where(isPending);
    await endOtherSessions(tx, { userId: session.id, sessionId: session.sessionId });
    await recordForAccount(tx, { account: session, actor: session.id, action: 'two_factor.enabled' });
    return { recoveryCodes: await replaceCodes(tx, session.id) };
  });
}
