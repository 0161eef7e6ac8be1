import { and, eq, lt } from 'drizzle-orm';
import { createSecretBox, type SecretBox } from '#lib/core/crypto/secret-box.ts';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { workflows, workflowVersions } from '#lib/engine/schema/workflows.ts';
import { SEALING_RULES, sealGraph } from '#lib/tasks/seal-graph.ts';

const BATCH = 100;

/**
 * Encrypts the secrets of drafts and versions that were written under earlier rules. Versions run unchanged.
 * @param keys `ENCRYPTION_KEYS`
 */
export async function sealStoredGraphs(databaseUrl: string, keys: string): Promise<void> {
  const db = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-seal' });
  const secrets = createSecretBox(keys);
  try {
    while ((await sealDrafts(db, secrets)) === BATCH);
    while ((await sealVersions(db, secrets)) === BATCH);
  } finally {
    await db.$client.end();
  }
}

const sealDrafts = (db: Database, secrets: SecretBox): Promise<number> =>
  db.transaction(async (tx) => {
    const rows = await tx
      .select({ id: workflows.id, workspaceId: workflows.workspaceId, draft: workflows.draft })
      .from(workflows)
      .where(lt(workflows.sealedBy, SEALING_RULES))
      .limit(BATCH)
      .for('update');
    for (const { id, workspaceId, draft } of rows)
      await tx
        .update(workflows)
        .set({ draft: await sealGraph({ workspaceId, secrets }, tx, draft), sealedBy: SEALING_RULES })
        .where(eq(workflows.id, id));
    return rows.length;
  });

const sealVersions = (db: Database, secrets: SecretBox): Promise<number> =>
  db.transaction(async (tx) => {
    const { workflowId, version, graph, sealedBy } = workflowVersions;
    const rows = await tx
      .select({ workflowId, version, graph, workspaceId: workflows.workspaceId })
      .from(workflowVersions)
      .innerJoin(workflows, eq(workflows.id, workflowId))
      .where(lt(sealedBy, SEALING_RULES))
      .limit(BATCH)
      .for('update', { of: workflowVersions });
    for (const row of rows)
      await tx
        .update(workflowVersions)
        .set({ graph: await sealGraph({ ...row, secrets }, tx, row.graph), sealedBy: SEALING_RULES })
        .where(and(eq(workflowId, row.workflowId), eq(version, row.version)));
    return rows.length;
  });
