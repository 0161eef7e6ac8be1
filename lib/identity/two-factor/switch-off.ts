import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { COMMAND_LINE } from '#lib/identity/audit/record-audit.ts';
import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import type { AccountContext, Transaction } from '#lib/identity/context.ts';
import { findAccount } from '#lib/identity/find-account.ts';
import { recoveryCodes, signInChallenges, twoFactor } from '#lib/identity/schema/two-factor.ts';
import type { Account, AccountSession } from './context.ts';
import { withProof } from './prove.ts';
import { warnAccount } from './warn-account.ts';

const OFF_SUBJECT = 'Two-factor sign-in was turned off for your Patchbay account';

/** Turns two-factor sign-in off. @throws AppError of `withProof` */
export async function switchOff(
  ctx: AccountContext,
  session: AccountSession,
  proof: { password: string; code: string },
): Promise<void> {
  await withProof(ctx, session, proof, async (tx) => {
    await remove(tx, session);
    await recordForAccount(tx, { account: session, actor: session.id, action: 'two_factor.disabled' });
    await warnAccount(tx, ctx, {
      account: session,
      subject: OFF_SUBJECT,
      happened: 'Two-factor sign-in was turned off. From now on the password alone is enough to sign in.',
    });
  });
}

/**
 * Removes the second factor of an account whose owner has lost it: for an administrator of the machine. The password and
 * sessions stay.
 * @param ctx `secrets` are only used where a mail is sent
 * @returns whether there was one
 * @throws AppError `not_found`
 */
export async function removeTwoFactor(
  ctx: { db: Database } & Pick<AccountContext, 'secrets' | 'canMail'>,
  { email }: { email: string },
): Promise<{ removed: boolean }> {
  return ctx.db.transaction(async (tx) => {
    const account = await findAccount(tx, email);
    const removed = await remove(tx, account);
    if (!removed) return { removed };
    await recordForAccount(tx, { account, actor: COMMAND_LINE, action: 'two_factor.removed' });
    await warnAccount(tx, ctx, {
      account,
      subject: OFF_SUBJECT,
      happened: 'An administrator of the installation removed the second factor of your account.',
    });
    return { removed };
  });
}

async function remove(tx: Transaction, { id }: Account): Promise<boolean> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
  await tx.delete(signInChallenges).where(eq(signInChallenges.userId, id));
  const removed = await tx.delete(twoFactor).where(eq(twoFactor.userId, id)).returning();
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}
