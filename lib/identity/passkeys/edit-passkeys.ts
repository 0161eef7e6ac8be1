import { and, asc, count, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import { COMMAND_LINE, recordForAccount } from '#lib/identity/audit/record-audit.ts';
import { endPasskeySessions } from '#lib/identity/auth/user-sessions.ts';
import type { AccountContext } from '#lib/identity/context.ts';
import { findAccount } from '#lib/identity/accounts.ts';
import { users } from '#lib/identity/schema/accounts.ts';
import { passkeys } from '#lib/identity/schema/sign-in.ts';
import { mayUsePassword } from '#lib/identity/sign-in-policy/sign-in-policy.ts';
import type { Account } from '#lib/identity/two-factor/context.ts';
import { recordPasskey } from './add-passkey.ts';
import { type Proof, type ProvingSession, withNeededProof } from './needed-proof.ts';
import { findRelyingParty } from './relying-party.ts';

/** The error for a missing passkey, or another user's. */
const noPasskey = (): AppError =>
  new AppError('not_found', 'This passkey was already deleted. Reload the page.');

/** Renames one of the user's own passkeys. @throws AppError `not_found` */
export async function renamePasskey(
  { db }: Pick<AccountContext, 'db'>,
  account: Account,
  { id, name }: { id: string; name: string },
): Promise<void> {
  if (!isId(id)) throw noPasskey();
  await db.transaction(async (tx) => {
    const renamed = await tx
      .update(passkeys)
      .set({ name })
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, account.id)))
      .returning();
    if (renamed.length === 0) throw noPasskey();
    await recordForAccount(tx, {
      account,
      actor: account.id,
      action: 'passkey.renamed',
      name: `${name} of ${account.email}`,
    });
  });
}

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

export interface Passkey {
  id: string;
  name: string;
  /** The host that it works for. */
  rpId: string;
  /** ISO 8601. */
  createdAt: string;
  /** ISO 8601; null: never used. */
  lastUsedAt: string | null;
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt), asc(passkeys.id));
  return rows.map(({ id, name, rpId, createdAt, lastUsedAt }) => ({
    id,
    name,
    rpId,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }));
}

/** Whether any account has a passkey: otherwise the sign-in page does not offer one. */
export async function hasAnyPasskey(db: Database): Promise<boolean> {
  return (await db.select({ id: passkeys.id }).from(passkeys).limit(1)).length > 0;
}

export interface PasskeyUser {
  user: { id: string; hasPassword: boolean };
  /** Of the identity provider; null: there is none. */
  providerName: string | null;
  baseUrl: string;
}

/** Why an account cannot add passkeys; null: it can. */
export async function explainNoPasskeys(
  db: Database,
  { user, providerName, baseUrl }: PasskeyUser,
): Promise<string | null> {
  if (!(await mayUsePassword(db, user.id)))
    return `This installation requires you to sign in with ${providerName ?? 'the identity provider'}, so passkeys are not used.`;
  if (!user.hasPassword)
    return 'You don’t sign in with a password. Set one first: it is the way back when you lose your passkeys.';
  if (!findRelyingParty(baseUrl))
    return `Passkeys need HTTPS and a host name, and this installation is at ${baseUrl}. Ask your administrator to change BASE_URL.`;
  return null;
}
