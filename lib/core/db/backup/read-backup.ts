import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { findDetour } from '#lib/core/db/compatibility.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { findLastMigration, listMigrations } from '#lib/core/db/migration-history.ts';
import { checkFiles, copyFilesBack } from './files.ts';
import { BackupError, type BackupManifest, fingerprintOf, readManifest } from './manifest.ts';
import { columnList, fileOf, listTables, quote, tableName } from './tables.ts';

interface ReadOptions {
  /** Where files that customers sent go; left out: they stay in the backup. */
  filesFolder?: string | undefined;
  /** false: the tables keep the backup's version. By default they are migrated to this version. */
  migrates?: boolean;
  /** Checks the rows before they are committed: when it throws, the database stays empty. */
  check?: (client: pg.ClientBase) => Promise<void>;
}

/**
 * Fills an empty database with a backup, all or nothing. An interrupted restore can be started again.
 * @param onTable called after each table
 * @throws BackupError when the folder is no backup, is damaged or comes from a newer version, or the database is not empty
 */
export async function readBackup(
  databaseUrl: string,
  folder: string,
  migrationsFolder: string,
  onTable: (table: string, rows: number) => void,
  { migrates = true, filesFolder, check = () => Promise.resolve() }: ReadOptions = {},
): Promise<BackupManifest> {
  const manifest = readManifest(folder);
  refuseUnknown(manifest, migrationsFolder);
  for (const table of manifest.tables) await checkFile(join(folder, fileOf(table)), table.sha256);
  if (manifest.files) await checkFiles(folder, manifest.files);
  const fingerprint = fingerprintOf(folder);
  const isFilled = await refuseUsed(databaseUrl, manifest, fingerprint);
  if (manifest.files && filesFolder !== undefined) await copyFilesBack(folder, manifest.files, filesFolder);
  if (!isFilled) {
    await migrateDatabase(databaseUrl, migrationsFolder, { upTo: manifest.lastMigration });
    await fill(databaseUrl, folder, manifest, { onTable, check, fingerprint });
  }
  if (migrates) await migrateDatabase(databaseUrl, migrationsFolder);
  await withClient(databaseUrl, (client) => client.query(`comment on schema drizzle is null`));
  return manifest;
}

function refuseUnknown({ lastMigration, version }: BackupManifest, migrationsFolder: string): void {
  if (listMigrations(migrationsFolder).some(({ when }) => when === lastMigration)) return;
  const detour = findDetour(lastMigration, migrationsFolder);
  if (detour !== null)
    throw new BackupError(
      `The backup was made by version ${version} of Patchbay. Restore it with version ${detour} (ops/releases.json has its commit), ` +
        'which upgrades it, and make a backup of that.',
    );
  throw new BackupError(
    `The backup was made by version ${version} of Patchbay, which this version does not know. Restore it with that version.`,
  );
}

async function checkFile(path: string, sha256: string): Promise<void> {
  const hash = createHash('sha256');
  const into = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });
  try {
    await pipeline(createReadStream(path), into);
  } catch (cause) {
    throw new BackupError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (hash.digest('hex') !== sha256)
    throw new BackupError(`${path} was changed since the backup was made: use another copy of the backup.`);
}

/**
 * Existing tables may contain data; those of an interrupted restore hold nothing, or this very backup.
 * @returns whether the backup's rows are there already: only the steps after them are repeated
 */
async function refuseUsed(
  databaseUrl: string,
  { lastMigration }: BackupManifest,
  fingerprint: string,
): Promise<boolean> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-restore' });
  try {
    const found = await findLastMigration(database);
    if (found === null) return false;
    if ((await findUnfinished(database)) === fingerprint) return true;
    if (found <= lastMigration && !(await isUsed(database))) return false;
    throw new BackupError(
      'This database holds a Patchbay already. Restore into an empty database, so that nothing is overwritten.',
    );
  } finally {
    await database.$client.end();
  }
}

/**
 * The backup whose rows were committed by a restore that was interrupted later. It is stored as a comment, because comments
 * are in no backup.
 */
async function findUnfinished(database: Database): Promise<string | null> {
  const { rows } = await database.$client.query<{ told: string | null }>(
    `select obj_description('drizzle'::regnamespace, 'pg_namespace') as told`,
  );
  return rows[0]?.told?.match(/^restoring (\w+)$/)?.[1] ?? null;
}

async function withClient(url: string, work: (client: pg.ClientBase) => Promise<unknown>): Promise<void> {
  const database = openDatabase(url, { maxConnections: 1, name: 'patchbay-restore' });
  const client = await database.$client.connect();
  try {
    await work(client);
  } finally {
    client.release(true);
    await database.$client.end();
  }
}

/** Everything belongs to a workspace or an account, so an installation without either is unused. */
async function isUsed(database: Database): Promise<boolean> {
  const { rows } = await database.$client.query<{ used: boolean }>(
    'select exists (select from workspaces) or exists (select from users) as used',
  );
  return rows[0]?.used ?? false;
}

async function fill(
  databaseUrl: string,
  folder: string,
  manifest: BackupManifest,
  {
    onTable,
    check,
    fingerprint,
  }: {
    onTable: (table: string, rows: number) => void;
    check: (client: pg.ClientBase) => Promise<void>;
    fingerprint: string;
  },
): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query('set local statement_timeout = 0');
    // Includes rows that the migrations themselves have inserted.
    await client.query(`truncate ${(await listTables(client)).map(tableName).join(', ')}`);
    const constraints = await dropForeignKeys(client);
    for (const table of manifest.tables) {
      const into = client.query(
        copyStreams.from(`copy ${tableName(table)} (${columnList(table)}) from stdin`),
      );
      await pipeline(createReadStream(join(folder, fileOf(table))), createGunzip(), into);
      if (into.rowCount !== table.rows)
        throw new BackupError(`${fileOf(table)} has ${into.rowCount} rows instead of ${table.rows}.`);
      onTable(`${table.schema}.${table.name}`, table.rows);
    }
    for (const add of constraints) await client.query(add);
    for (const { schema, name, lastValue } of manifest.sequences)
      await client.query('select setval($1, $2)', [`${quote(schema)}.${quote(name)}`, lastValue]);
    await check(client);
    await client.query(`comment on schema drizzle is 'restoring ${fingerprint}'`);
    await client.query('commit');
  });
}

const FOREIGN_KEYS = `
select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
from pg_constraint where contype = 'f' and connamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)`;

/**
 * Tables refer to each other in circles, so that no order of inserting works.
 * @returns the statements that add the constraints again, which also checks every row
 */
async function dropForeignKeys(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS);
  for (const { table, name } of rows)
    await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  return rows.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${quote(name)} ${definition}`,
  );
}
