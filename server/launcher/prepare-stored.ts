import { openDatabase } from '#lib/core/db/client.ts';
import { findKeyProblem } from '#lib/workflows/check-graph.ts';
import { sealStoredGraphs } from '#lib/workflows/seal-stored-graphs.ts';
import { LaunchError } from './launch-error.ts';

/**
 * Migrates stored data to this version, before its processes start. @param keys `ENCRYPTION_KEYS` @throws LaunchError when they
 * do not decrypt the database; nothing is changed then
 */
export async function prepareStored(databaseUrl: string, keys: string): Promise<void> {
  const problem = await findProblem(databaseUrl, keys);
  if (problem !== null) throw new LaunchError(problem);
  await sealStoredGraphs(databaseUrl, keys);
}

async function findProblem(databaseUrl: string, keys: string): Promise<string | null> {
  const db = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-launcher' });
  try {
    return await findKeyProblem(db, keys);
  } finally {
    await db.$client.end();
  }
}
