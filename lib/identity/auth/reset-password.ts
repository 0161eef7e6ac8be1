import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { COMMAND_LINE } from '#lib/identity/audit/record-audit.ts';
import { recordForAccount } from '#lib/identity/audit/record-for-account.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { findAccount } from '#lib/identity/find-account.ts';
import type { NewAccount } from '#lib/identity/members/schema.ts';
import { passwordResets, users, userSessions } from '#lib/identity/schema/accounts.ts';
import { signInChallenges } from '#lib/identity/schema/two-factor.ts';
import { hashPassword } from './password.ts';

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
export async function replacePassword(
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
