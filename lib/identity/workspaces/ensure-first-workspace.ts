import { asc, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { workspaces } from '#lib/identity/schema/workspaces.ts';
import { newId } from '#lib/core/ids.ts';

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
    return id;
  });
}
