import { and, count, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { hasRole, type Role } from '#lib/identity/roles/roles.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';

/** More than a person needs: a script that creates thousands is a mistake. */
const MAX_OWNED = 50;

/** Editors of some workspace may create their own; guests may not. @throws AppError `forbidden` */
export function assertMayCreateWorkspace(memberships: readonly { role: Role }[]): void {
  if (!memberships.some(({ role }) => hasRole(role, 'editor')))
    throw new AppError('forbidden', 'Viewers cannot create workspaces. Ask an owner to make you an editor.');
}

/**
 * Creates an empty workspace with one member, its owner.
 * @throws AppError `conflict` when the person owns too many
 */
export async function createWorkspace(
  db: Database,
  { name, userId }: { name: string; userId: string },
): Promise<{ id: string; name: string }> {
  const id = newId();
  await db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
    const [owned] = await tx
      .select({ count: count() })
      .from(memberships)
      .where(and(eq(memberships.userId, userId), eq(memberships.role, 'owner')));
    if ((owned?.count ?? 0) >= MAX_OWNED)
      throw new AppError('conflict', `You own ${MAX_OWNED} workspaces, which is the limit.`);
    await tx.insert(workspaces).values({ id, name });
    await tx.insert(memberships).values({ workspaceId: id, userId, role: 'owner' });
    await recordAudit({ workspaceId: id, actor: userId }, tx, 'workspace.created', { id, name });
  });
  return { id, name };
}
