// Checks of web and worker processes before they serve: a wrong version may have been started by mistake, too early, or with
// other keys (docs/operations.md, "Upgrades").
import { setTimeout as wait } from 'node:timers/promises';
import { type Database, databaseOver } from '#lib/core/db/client.ts';
import { compareSchema, UnfitDatabaseError } from '#lib/core/db/compatibility.ts';
import { retryWhileUnavailable } from '#lib/core/db/database-unavailable.ts';
import type { ProcessRuntime } from '#lib/core/process-runtime.ts';
import { findKeyProblem } from '#lib/workflows/check-graph.ts';

const LOOK_EVERY_MS = 500;

/**
 * Waits until the database has this version's tables. Ends the process, with the reason, when it is too new for this version,
 * or when `ENCRYPTION_KEYS` does not decrypt its data.
 * @param migrationsFolder the folder `drizzle/` of the product
 */
export async function untilDatabaseFits(
  { vital, settings, logger }: Pick<ProcessRuntime, 'vital' | 'settings' | 'logger'>,
  migrationsFolder: string,
): Promise<void> {
  // Uses the open connection: another one would cost PostgreSQL a process.
  const db = databaseOver(vital);
  try {
    for (let isSaid = false; !(await hasTables(db, migrationsFolder)); await wait(LOOK_EVERY_MS)) {
      if (!isSaid) logger.warn("Waiting for `patchbay migrate`: the database lacks this version's tables");
      isSaid = true;
    }
    const problem = await retryWhileUnavailable(() => findProblem(db, settings.ENCRYPTION_KEYS));
    if (problem === null) return;
    logger.fatal(problem);
  } catch (error) {
    if (!(error instanceof UnfitDatabaseError)) throw error;
    logger.fatal(error.message);
  }
  process.exit(1);
}

const findProblem = async (db: Database, keys: string | undefined): Promise<string | null> =>
  keys ? findKeyProblem(db, keys) : null;

const hasTables = async (db: Database, migrationsFolder: string): Promise<boolean> =>
  ['current', 'newer'].includes(await retryWhileUnavailable(() => compareSchema(db, migrationsFolder)));
