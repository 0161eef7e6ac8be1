import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { runMigrations } from 'graphile-worker';
import { type Database, openDatabase, type Queryable } from './client.ts';
import { compareSchema, recordCompatibility } from './compatibility.ts';
import { findLastMigration, listMigrations, readJournal } from './migration-history.ts';
import { createPartitionedIndex, dropPartitionedIndex } from './partitions/change-index.ts';

export const MIGRATION_LOCK = 7_267_001;

/**
 * While a migration waits for a lock on a table, all later queries of it wait, too: so it gives up after this time and tries
 * again.
 */
const LOCK_PATIENCE_MS = 300;
const RETRY_MS = 700;
const LOCKS_PATIENCE_MS = 300_000;
const LOCK_NOT_AVAILABLE = '55P03';

export interface MigrateOptions {
  /** Stops at this migration (its `when`), so that a backup of that time can be read. */
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
    // The queue's tables first: a process that waits for ours uses both as soon as ours are there.
    await runMigrations({ connectionString: url });
    await applyMissing(database, migrationsFolder, upTo, say);
    await changeIndexes(database, migrationsFolder, upTo, say);
    const tables = await listTablesToAnalyze(lock);
    if (tables.length > 0) await lock.query(`analyze ${tables.join(', ')}`);
  } finally {
    lock.release(true);
    await locking.$client.end();
    await database.$client.end();
  }
}

/** PostgreSQL takes a table of which it has no statistics for one of as many pages. */
const PAGES_OF_UNKNOWN = 10;

/**
 * The tables of which statistics are gathered: larger ones. One that is known to be empty would be read as a whole by plans that are kept
 * while it fills up.
 */
export async function listTablesToAnalyze(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class
     where relnamespace::regnamespace::text in ('public', 'graphile_worker') and relkind in ('r', 'p') and not relispartition
       and pg_relation_size(oid) + coalesce((select sum(pg_relation_size(relid)) from pg_partition_tree(oid)), 0)
         > $1 * current_setting('block_size')::int
     order by 1`,
    [PAGES_OF_UNKNOWN],
  );
  return rows.map(({ name }) => name);
}

/** Each migration has its own transaction, so that its locks are released before the next one starts. */
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
    await withOnly(migrationsFolder, when, async (part) => {
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

/** A temporary folder with one of the migrations, while `work` runs: drizzle applies what is newer than the last applied one. */
async function withOnly(
  migrationsFolder: string,
  wanted: number,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const journal = readJournal(migrationsFolder);
  const entries = journal.entries.filter(({ when }) => when === wanted);
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-migrations-'));
  try {
    await mkdir(join(folder, 'meta'));
    writeFileSync(join(folder, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    for (const { tag } of entries)
      writeFileSync(join(folder, `${tag}.sql`), splitMigration(migrationsFolder, tag).inTransaction);
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BREAKPOINT = '--> statement-breakpoint';
const OF_INDEX = /^\s*(create|drop) index concurrently "(\w+)"/i;

interface IndexChange {
  name: string;
  isDropped: boolean;
  statement: string;
}

/**
 * The statements of a migration: those of its transaction, and those of the indexes of large tables, which are created and
 * dropped after it without blocking writers (`create index concurrently`, `drop index concurrently`, which no transaction may
 * contain).
 */
export function splitMigration(
  migrationsFolder: string,
  tag: string,
): { inTransaction: string; indexes: IndexChange[] } {
  const statements = readFileSync(join(migrationsFolder, `${tag}.sql`), 'utf8').split(BREAKPOINT);
  return {
    inTransaction: statements.filter((each) => !OF_INDEX.test(each)).join(BREAKPOINT),
    indexes: statements.flatMap((statement) => {
      const [, verb = '', name = ''] = OF_INDEX.exec(statement) ?? [];
      return name === '' ? [] : [{ name, isDropped: verb.toLowerCase() === 'drop', statement }];
    }),
  };
}

const INDEXES = `
select c.relname as name, i.indisvalid as valid from pg_class c join pg_index i on i.indexrelid = c.oid
where c.relnamespace = 'public'::regnamespace`;

/**
 * Creates the indexes that are missing, and drops those that a later migration replaced. One that a kill left invalid is dropped
 * and created again. On a large table it takes minutes, while processes of every version work.
 */
async function changeIndexes(
  database: Database,
  migrationsFolder: string,
  upTo: number,
  say: (line: string) => void,
): Promise<void> {
  const applied = listMigrations(migrationsFolder).filter(({ when }) => when <= upTo);
  const changes = applied.flatMap(({ tag }) => splitMigration(migrationsFolder, tag).indexes);
  // The last one of each index, in the order of the migrations.
  const last = new Map(changes.map((change) => [change.name, change]));
  const { rows } = await database.execute<{ name: string; valid: boolean }>(INDEXES);
  const isValid = new Map(rows.map(({ name, valid }) => [name, valid]));
  // It waits for transactions that are older than it, however long they last.
  await database.execute('set lock_timeout = 0');
  for (const { name, isDropped, statement } of last.values()) {
    if (isDropped) {
      if (isValid.has(name) && !(await dropPartitionedIndex(database.$client, name)))
        await database.execute(statement);
      continue;
    }
    if (isValid.get(name) === true) continue;
    if (!isValid.has(name)) say(`Creating the index ${name}; it does not block anything`);
    if (await createPartitionedIndex(database.$client, statement)) continue;
    if (isValid.get(name) === false) await database.execute(`drop index concurrently "${name}"`);
    await database.execute(statement);
  }
}
