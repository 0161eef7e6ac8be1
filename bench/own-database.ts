// A PostgreSQL for measurements, which run without Vitest: they cannot use its databases (lib/testing/test-database.ts).
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#lib/core/db/client.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { choosePostgres } from '#lib/testing/chosen-postgres.ts';
import { onStop } from './on-stop.ts';

const root = new URL('..', import.meta.url).pathname;

export interface OwnDatabase {
  postgres: EmbeddedPostgres;
  url: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server for one measurement, which ends with it, even when that is interrupted. @param isDurable commits
 * wait for the disk, as in production
 * @param isMigrated false: it has no tables
 * @param countsStatements with the extension pg_stat_statements
 */
export async function startOwnDatabase(
  name: string,
  {
    isDurable,
    isMigrated = true,
    connections,
    countsStatements = false,
  }: { isDurable: boolean; isMigrated?: boolean; connections?: number; countsStatements?: boolean },
): Promise<OwnDatabase> {
  const folder = mkdtempSync(join(tmpdir(), `patchbay-${name}-`));
  // Started by root, the database runs under another account, which needs access.
  chmodSync(folder, 0o711);
  const { binariesFolder, remove: removeBinaries } = await choosePostgres();
  const start = (): Promise<EmbeddedPostgres> =>
    startEmbeddedPostgres({
      dataDirectory: join(folder, 'postgres'),
      durable: isDurable,
      ...(binariesFolder !== undefined && { binariesFolder }),
      ...(connections !== undefined && { connections }),
    });
  let postgres = await start();
  const remove = async (): Promise<void> => {
    await postgres.stop();
    removeBinaries();
    for (const path of [folder, postgres.dataFolder]) rmSync(path, { recursive: true, force: true });
  };
  const forget = onStop(remove);
  const stop = (): Promise<void> => remove().finally(forget);
  try {
    if (countsStatements) {
      await execute(postgres.url, `alter system set shared_preload_libraries = 'pg_stat_statements'`);
      await postgres.stop();
      postgres = await start();
      await execute(postgres.url, 'create extension pg_stat_statements');
    }
    if (isMigrated) await migrateDatabase(postgres.url, join(root, 'drizzle'));
  } catch (error) {
    await stop();
    throw error;
  }
  return { postgres, url: postgres.url, stop };
}

async function execute(url: string, statement: string): Promise<void> {
  const { $client: pool } = openDatabase(url, { maxConnections: 1, name: 'bench' });
  try {
    await pool.query(statement);
  } finally {
    await pool.end();
  }
}

/** Does something with a separate database that has the product's tables. */
export async function withDatabase(
  { name, isDurable }: { name: string; isDurable: boolean },
  work: (url: string) => Promise<void>,
): Promise<void> {
  const database = await startOwnDatabase(name, { isDurable });
  try {
    await work(database.url);
  } finally {
    await database.stop();
  }
}
