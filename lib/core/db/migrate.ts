import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations } from 'graphile-worker';
import { type Database, openDatabase } from './client.ts';
import { compareSchema, recordCompatibility } from './compatibility.ts';
import { findLastMigration, listMigrations, readJournal } from './migration-history.ts';

const MIGRATION_LOCK = 7_267_001;

/** Whoever comes after a migration that waits for a table waits as well: so long at most, and then it is tried again. */
const LOCK_PATIENCE_MS = 300;
const RETRY_MS = 700;
const LOCKS_PATIENCE_MS = 300_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrateOptions {
  /** Goes no further than this migration (its `when`), so that a backup of that time can be read. */
  upTo?: number;
  say?: (line: string) => void;
}

/**
 * Brings a database to this version's tables (ours and the job queue's), one process at a time,
 * and gathers statistics so that the first queries are planned well. One that a newer version has migrated is left as it is.
 * @param migrationsFolder the folder `drizzle/` of the product.
 * @throws UnfitDatabaseError when this version may not run on it
 */
export async function migrateDatabase(
  url: string,
  migrationsFolder: string,
  { upTo = Infinity, say = () => undefined }: MigrateOptions = {},
): Promise<void> {
  const database = openDatabase(url, { maxConnections: 1, name: 'patchbay-migrate' });
  const locking = openDatabase(url, { maxConnections: 1, name: 'patchbay-migrate-lock' });
  const lock = await locking.$client.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if ((await compareSchema(database, migrationsFolder)) === 'newer') {
      say('A newer version has migrated the database, and this one may run on it: nothing is migrated.');
      return;
    }
    // First the queue's: whoever waits for this version's tables waits for ours, and uses both as soon as they are there.
    await runMigrations({ connectionString: url });
    await applyMissing(database, migrationsFolder, upTo, say);
    await lock.query('analyze');
  } finally {
    lock.release(true);
    await locking.$client.end();
    await database.$client.end();
  }
}

/** Each in its own transaction, so that what one locks is not held while the next ones are made. */
async function applyMissing(
  database: Database,
  migrationsFolder: string,
  upTo: number,
  say: (line: string) => void,
): Promise<void> {
  const last = (await findLastMigration(database)) ?? 0;
  const missing = listMigrations(migrationsFolder).filter(({ when }) => when > last && when <= upTo);
  await recordCompatibility(database, migrationsFolder, missing);
  await database.execute(`set lock_timeout = ${LOCK_PATIENCE_MS}`);
  for (const { tag, when } of missing)
    await withPartOf(migrationsFolder, when, async (part) => {
      for (const deadline = Date.now() + LOCKS_PATIENCE_MS; ;)
        try {
          return await migrate(database, { migrationsFolder: part });
        } catch (error) {
          if (codeOf(error) !== LOCK_NOT_AVAILABLE || Date.now() > deadline) throw error;
          say(`${tag} needs a table that is in use: trying again`);
          await wait(RETRY_MS);
        }
    });
}

const codeOf = (error: unknown): unknown =>
  (error as { code?: unknown }).code ?? (error as { cause?: { code?: unknown } }).cause?.code;

/** A folder that holds the migrations up to one of them, for as long as `work` takes. */
async function withPartOf(
  migrationsFolder: string,
  upTo: number,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const journal = readJournal(migrationsFolder);
  const entries = journal.entries.filter(({ when }) => when <= upTo);
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-migrations-'));
  try {
    await mkdir(join(folder, 'meta'));
    writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries)
      symlinkSync(resolve(migrationsFolder, `${tag}.sql`), join(folder, `${tag}.sql`));
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
