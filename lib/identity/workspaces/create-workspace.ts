import { and, count, eq, asc, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { memberships, users } from '#lib/identity/schema/accounts.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { AppError } from '#lib/core/errors.ts';
import { newId } from '#lib/core/ids.ts';
import { hasRole, type Role } from '#lib/identity/roles/roles.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import { insertDefaultRetention } from './retention.ts';
import { startInZone } from './workspace-time.ts';

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
  { name, userId, zone = '' }: { name: string; userId: string; zone?: string | undefined },
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
    await insertDefaultRetention(tx, id);
    await startInZone(tx, { workspaceId: id, zone });
    await tx.insert(memberships).values({ workspaceId: id, userId, role: 'owner' });
    await recordAudit({ workspaceId: id, actor: userId }, tx, 'workspace.created', { id, name });
  });
  return { id, name };
}

const FIRST_WORKSPACE_LOCK = 7_267_002;
const FIRST_NAME = 'My workspace';

/**
 * Creates the first workspace of an installation unless it exists; safe in concurrent processes.
 * @returns its id
 */
export async function ensureFirstWorkspace(db: Database): Promise<string> {
  return (await findFirstWorkspace(db)) ?? createFirstWorkspace(db);
}

/** The id of the oldest workspace, which `PATCHBAY_API_KEY` belongs to (docs/api.md). */
export async function findFirstWorkspace(db: Pick<Database, 'select'>): Promise<string | null> {
  const [first] = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .orderBy(asc(workspaces.createdAt), asc(workspaces.id))
    .limit(1);
  return first?.id ?? null;
}

async function createFirstWorkspace(db: Database): Promise<string> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_WORKSPACE_LOCK})`);
    const existing = await findFirstWorkspace(tx);
    if (existing) return existing;
    const id = newId();
    await tx.insert(workspaces).values({ id, name: FIRST_NAME });
    await insertDefaultRetention(tx, id);
    return id;
  });
}
