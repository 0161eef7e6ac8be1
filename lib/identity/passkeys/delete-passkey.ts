import { and, count, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { isId } from '#lib/core/ids.ts';
import { endPasskeySessions } from '#lib/identity/auth/user-sessions.ts';
import { COMMAND_LINE } from '#lib/identity/audit/record-audit.ts';
import type { AccountContext } from '#lib/identity/context.ts';
import { findAccount } from '#lib/identity/find-account.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { passkeys } from '#lib/identity/schema/passkeys.ts';
import { type Proof, type ProvingSession, withNeededProof } from './needed-proof.ts';
import { recordPasskey } from './record-passkey.ts';
import { noPasskey } from './rename-passkey.ts';

/**
 * Deletes one of the user's own passkeys and signs out the browsers that it signed in, except this one.
 * @throws AppError `not_found`, and those of `withNeededProof`
 */
export async function deletePasskey(
  ctx: AccountContext,
  session: ProvingSession,
  { id, ...proof }: Proof & { id: string },
): Promise<void> {
  if (!isId(id)) throw noPasskey();
  await withNeededProof(ctx, session, proof, async (tx) => {
    const [deleted] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, session.id)))
      .returning();
    if (!deleted) throw noPasskey();
    await endPasskeySessions(tx, { userId: session.id, passkeyId: id, sessionId: session.sessionId });
    await recordPasskey(tx, ctx, {
      account: session,
      actor: session.id,
      name: deleted.name,
      done: 'deleted',
    });
  });
}

/**
 * Deletes all passkeys of an account whose owner has lost them, and signs out the browsers that they signed in: for an
 * administrator of the machine.
 * @param ctx `secrets` are only used where a mail is sent
 * @returns the number of deleted passkeys
 * @throws AppError `not_found`
 */
export async function deleteAllPasskeys(
  ctx: { db: Database } & Pick<AccountContext, 'secrets' | 'canMail'>,
  { email }: { email: string },
): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const account = await findAccount(tx, email);
    const deleted = await tx.delete(passkeys).where(eq(passkeys.userId, account.id)).returning();
    await endPasskeySessions(tx, { userId: account.id });
    for (const { name } of deleted)
      await recordPasskey(tx, ctx, { account, actor: COMMAND_LINE, name, done: 'deleted' });
    return deleted.length;
  });
}

/** Number of passkeys of an email address's account. */
export async function countPasskeys(db: Database, email: string): Promise<number> {
  const [found] = await db
    .select({ passkeys: count() })
    .from(passkeys)
    .innerJoin(users, eq(users.id, passkeys.userId))
    .where(eq(users.email, email));
  return found?.passkeys ?? 0;
}
