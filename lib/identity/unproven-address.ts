// Addresses that somebody typed and nothing has shown to be theirs. Whoever shows to have one gets the account that is under it.
import { and, eq } from 'drizzle-orm';
import { passwordResets, userIdentities, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { passkeys } from '#lib/identity/schema/passkeys.ts';
import { recoveryCodes, signInChallenges, twoFactor } from '#lib/identity/schema/two-factor.ts';
import type { Transaction } from './context.ts';

/** The address is that of whoever uses the account: it loses nothing when somebody comes with it verified. */
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
 * Takes the account from whoever made it with an address that was not shown to be theirs, for somebody who has the address: identities,
 * passkeys and sessions end. The password stays, for a caller that replaces it; `removeUnprovenPassword` comes first where none does.
 * @returns whether there was anything to take
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

/** Removes the password of such an account, with the second factor that belongs to it and all that would set another one. */
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
