import { eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { COMMAND_LINE, recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { NewAccount } from '#lib/identity/members/schema.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { ensureFirstWorkspace } from '#lib/identity/workspaces/ensure-first-workspace.ts';
import { insertUser } from './create-account.ts';
import { hashPassword } from './password.ts';

/**
 * Makes a user an owner of the first workspace: for an administrator of the machine, when no owner can sign in any more.
 * @param account the password is for a new account; an existing one keeps its own
 */
export async function addOwner(db: Database, { email, password }: NewAccount): Promise<{ isNew: boolean }> {
  const passwordHash = await hashPassword(password);
  const workspaceId = await ensureFirstWorkspace(db);
  return db.transaction(async (tx) => {
    const [known] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email));
    const id = known?.id ?? (await insertUser(tx, { email, passwordHash }));
    await tx
      .insert(memberships)
      .values({ workspaceId, userId: id, role: 'owner' })
      .onConflictDoUpdate({ target: [memberships.workspaceId, memberships.userId], set: { role: 'owner' } });
    await recordAudit({ workspaceId, actor: COMMAND_LINE }, tx, 'owner.added', { id, name: email });
    return { isNew: known === undefined };
  });
}
