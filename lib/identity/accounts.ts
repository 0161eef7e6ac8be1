import { and, eq } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from './context.ts';
import { passwordResets, userIdentities, users, userSessions } from './schema/accounts.ts';
import { passkeys, recoveryCodes, signInChallenges, twoFactor } from './schema/sign-in.ts';

/** The account of an email address. @throws AppError `not_found` */
export async function findAccount(tx: Transaction, email: string): Promise<{ id: string; email: string }> {
  const [account] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(eq(users.email, email));
  if (!account) throw new AppError('not_found', `Nobody has an account with the address ${email}.`);
  return account;
}

// Accounts whose address was typed and not proven. A user who proves the address gets the account.

/** Marks the address as proven by the account's user: the account is kept when a user signs in with the verified address. */
export async function proveAddress(tx: Transaction, userId: string): Promise<void> {
  await tx
    .update(users)
    .set({ isAddressUnproven: false })
    .where(and(eq(users.id, userId), eq(users.isAddressUnproven, true)));
  await tx
    .update(userIdentities)
    .set({ isAddressUnproven: false })
    .where(and(eq(userIdentities.userId, userId), eq(userIdentities.isAddressUnproven, true)));
}

/**
 * Takes over an account with an unproven address for a user who has proven it: its identities, passkeys and sessions are
 * removed. The password stays, for a caller that replaces it; otherwise call `removeUnprovenPassword` first.
 * @returns whether there was anything to remove
 */
export async function removeUnprovenSignIns(tx: Transaction, userId: string): Promise<boolean> {
  const identities = await tx
    .delete(userIdentities)
    .where(and(eq(userIdentities.userId, userId), eq(userIdentities.isAddressUnproven, true)))
    .returning({ subject: userIdentities.subject });
  const accounts = await tx
    .update(users)
    .set({ isAddressUnproven: false })
    .where(and(eq(users.id, userId), eq(users.isAddressUnproven, true)))
    .returning({ id: users.id });
  if (accounts.length > 0) await tx.delete(passkeys).where(eq(passkeys.userId, userId));
  if (identities.length + accounts.length === 0) return false;
  await tx.delete(userSessions).where(eq(userSessions.userId, userId));
  return true;
}

/** Removes the password of such an account, with its second factor and the links that would set another password. */
export async function removeUnprovenPassword(tx: Transaction, userId: string): Promise<void> {
  const removed = await tx
    .update(users)
    .set({ passwordHash: null })
    .where(and(eq(users.id, userId), eq(users.isAddressUnproven, true)))
    .returning({ id: users.id });
  if (removed.length === 0) return;
  for (const table of [twoFactor, recoveryCodes, signInChallenges, passwordResets])
    await tx.delete(table).where(eq(table.userId, userId));
}
