import { sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { useInvitation } from '#lib/identity/members/accept-invitation.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { NewAccount } from '#lib/identity/members/schema.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { assertPasswordsAreOn } from '#lib/identity/sign-in-policy/may-use-password.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { hashPassword } from './password.ts';

const FIRST_OWNER_LOCK = 7_267_003;

/** Whether there are no accounts yet: then the first visitor creates the owner's. */
export async function isFirstStart(db: Database): Promise<boolean> {
  const { rows } = await db.execute<{ first: boolean }>(
    sql`select not exists (select from ${memberships}) as first`,
  );
  return rows[0]?.first ?? false;
}

/** The error for a second attempt to create the first account. */
export const hasOwner = (): AppError =>
  new AppError('conflict', 'This installation already has an owner. Sign in, or ask for an invitation.');

/**
 * Creates the owner's account of an installation, once.
 * @throws AppError `conflict` when another owner was created first
 */
export async function createFirstOwner(
  db: Database,
  { email, password }: NewAccount,
): Promise<{ id: string }> {
  const passwordHash = await hashPassword(password);
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    if (!(await claimFirstStart(tx))) throw hasOwner();
    const id = await insertUser(tx, { email, passwordHash });
    await joinAsOwner(tx, workspaceId, id);
    return { id };
  });
}

/**
 * Creates an account and accepts the invitation, both or neither. Only a mailed link proves that the address is theirs.
 * @throws AppError `not_found`, `conflict`; `forbidden` where the identity provider is required: the password could not be
 *   used
 */
export async function createInvitedAccount(
  db: Database,
  { email, password, token }: NewAccount & { token: string },
): Promise<{ id: string; workspaceId: string }> {
  await assertPasswordsAreOn(db);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const id = await insertUser(tx, { email, passwordHash, isAddressUnproven: true });
    return { id, workspaceId: await useInvitation(tx, token, id) };
  });
}

/** True when there are no members anywhere; locks until the transaction ends, so that only one gets true. */
export async function claimFirstStart(tx: Transaction): Promise<boolean> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`);
  const { rows } = await tx.execute(sql`select from ${memberships} limit 1`);
  return rows.length === 0;
}

/** Makes a user the owner of the first workspace. */
export async function joinAsOwner(tx: Transaction, workspaceId: string, userId: string): Promise<void> {
  await tx.insert(memberships).values({ workspaceId, userId, role: 'owner' });
  await recordAudit({ workspaceId, actor: userId }, tx, 'workspace.claimed', { id: workspaceId });
}

interface NewUser {
  email: string;
  passwordHash: string;
  isAddressUnproven?: boolean;
}

/** @throws AppError `conflict` when the address is taken */
export async function insertUser(
  tx: Transaction,
  { email, passwordHash, isAddressUnproven = false }: NewUser,
): Promise<string> {
  const id = newId();
  const made = await tx
    .insert(users)
    .values({ id, email, passwordHash, isAddressUnproven })
    .onConflictDoNothing({ target: users.email })
    .returning({ id: users.id });
  if (made.length > 0) return id;
  throw new AppError(
    'conflict',
    'No account can be created with this address. If you have one, sign in first.',
    {
      problems: [{ path: 'email', message: 'If this is your address, sign in to join.' }],
    },
  );
}
