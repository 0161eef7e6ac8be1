import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { findLastMigration } from '#lib/core/db/migration-history.ts';
import { VERSION } from '#lib/core/version.ts';
import { copyFilesInto } from './files.ts';
import { BackupError, type BackupManifest, writeManifest } from './manifest.ts';
import { type BackupTable, columnList, fileOf, listSequences, listTables, tableName } from './tables.ts';

/**
 * For as long as a snapshot is held, PostgreSQL cannot clean up what is updated and deleted: tables and indexes grow.
 */
const MAX_SNAPSHOT_MINUTES = 60;

interface WriteOptions {
  /** Where files that customers sent are stored; left out: no folder is part of the backup. */
  filesFolder?: string | undefined;
  /** Encrypted values, which prove the keys; read in the same snapshot. When it throws, nothing is written. */
  readSealed?: (client: pg.ClientBase) => Promise<NonNullable<BackupManifest['sealed']>>;
  /** The backup fails when its snapshot is older. */
  maxSnapshotMs?: number;
}

/**
 * Writes all rows into an empty folder, in one snapshot: Patchbay may run during it. Rows are PostgreSQL's text format,
 * compressed, so that another major version can read them. Files that they mention are copied, too, after the snapshot has ended.
 * @param onTable called after each table
 * @throws BackupError when the database is not Patchbay's, or too large for the longest snapshot
 */
export async function writeBackup(
  databaseUrl: string,
  folder: string,
  onTable: (table: string, rows: number) => void,
  { filesFolder, readSealed, maxSnapshotMs = MAX_SNAPSHOT_MINUTES * 60_000 }: WriteOptions = {},
): Promise<BackupManifest> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-backup' });
  try {
    const lastMigration = await findLastMigration(database);
    if (lastMigration === null) throw new BackupError('This database holds no Patchbay.');
    const rows = await writeRows(database.$client, folder, onTable, { readSealed, maxSnapshotMs });
    const files = filesFolder === undefined ? {} : { files: await copyFilesInto(folder, filesFolder) };
    const manifest = { format: 1 as const, version: VERSION, lastMigration, ...rows, ...files };
    writeManifest(folder, manifest);
    return manifest;
  } finally {
    await database.$client.end();
  }
}

/** Reads everything in one snapshot, which ends with it. */
async function writeRows(
  pool: Pool,
  folder: string,
  onTable: (table: string, rows: number) => void,
  { readSealed, maxSnapshotMs }: Pick<WriteOptions, 'readSealed'> & { maxSnapshotMs: number },
): Promise<Pick<BackupManifest, 'tables' | 'sequences' | 'madeAt' | 'sealed'>> {
  const client = await pool.connect();
  const endsAtMs = performance.now() + maxSnapshotMs;
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set local statement_timeout = ${maxSnapshotMs}`);
    const sealed = readSealed && { sealed: await readSealed(client) };
    const tables: BackupManifest['tables'] = [];
    for (const table of await listTables(client)) {
      const leftMs = Math.floor(endsAtMs - performance.now());
      if (leftMs < 1) throw new SnapshotTooOld();
      await client.query(`set local statement_timeout = ${leftMs}`);
      const written = await writeTable(client, table, folder);
      tables.push({ ...table, ...written });
      onTable(`${table.schema}.${table.name}`, written.rows);
    }
    return { madeAt: new Date().toISOString(), tables, sequences: await listSequences(client), ...sealed };
  } catch (cause) {
    const isTimedOut = (cause as { code?: unknown }).code === QUERY_CANCELED && performance.now() >= endsAtMs;
    if (!(cause instanceof SnapshotTooOld) && !isTimedOut) throw cause;
    throw new BackupError(
      `The database could not be read within ${Math.round(maxSnapshotMs / 60_000)} minutes, after which a backup would slow down the database. ` +
        'Use a faster disk for the backup, --max-minutes, or pg_basebackup with WAL archiving (docs/running/sizing.md).',
      { cause },
    );
  } finally {
    client.release(true);
  }
}

class SnapshotTooOld extends Error {}

/** PostgreSQL's code of a statement that took too long. */
const QUERY_CANCELED = '57014';

async function writeTable(
  client: pg.ClientBase,
  table: BackupTable,
  folder: string,
): Promise<{ rows: number; sha256: string }> {
  // Unsorted, because sorting is slow: constraints within a table are checked at the end of a statement, so that the order
  // does not matter.
  const rows = client.query(
    copyStreams.to(`copy (select ${columnList(table)} from ${tableName(table)}) to stdout`),
  );
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  const file = createWriteStream(join(folder, fileOf(table)), { mode: 0o600, flags: 'wx', flush: true });
  // Rows like those of events are a thirtieth smaller at level 6, which takes 3.6 times as long: as long as the snapshot is held.
  await pipeline(rows, createGzip({ level: 1 }), hashed, file);
  return { rows: rows.rowCount, sha256: hash.digest('hex') };
}
