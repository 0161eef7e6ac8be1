import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import copyStreams from 'pg-copy-streams';
import { openDatabase } from '#lib/core/db/client.ts';
import { findLastMigration } from '#lib/core/db/migration-history.ts';
import { VERSION } from '#lib/core/version.ts';
import { copyFilesInto } from './files.ts';
import { BackupError, type BackupManifest, writeManifest } from './manifest.ts';
import { type BackupTable, columnList, fileOf, listSequences, listTables, tableName } from './tables.ts';

interface WriteOptions {
  /** Where files that customers sent are stored; left out: no folder is part of the backup. */
  filesFolder?: string | undefined;
  /** Encrypted values, which prove the keys; read in the same snapshot. When it throws, nothing is written. */
  readSealed?: (client: pg.ClientBase) => Promise<NonNullable<BackupManifest['sealed']>>;
}

/**
 * Writes all rows into an empty folder, in one snapshot: Patchbay may run during it. Rows are PostgreSQL's text format,
 * compressed, so that another major version can read them. Files that they mention are copied, too.
 * @param onTable called after each table
 * @throws BackupError when the database is not Patchbay's
 */
export async function writeBackup(
  databaseUrl: string,
  folder: string,
  onTable: (table: string, rows: number) => void,
  { filesFolder, readSealed }: WriteOptions = {},
): Promise<BackupManifest> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-backup' });
  try {
    const lastMigration = await findLastMigration(database);
    if (lastMigration === null) throw new BackupError('This database holds no Patchbay.');
    const client = await database.$client.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      // Large installations take hours.
      await client.query('set local statement_timeout = 0');
      const sealed = readSealed && { sealed: await readSealed(client) };
      const tables: BackupManifest['tables'] = [];
      for (const table of await listTables(client)) {
        const written = await writeTable(client, table, folder);
        tables.push({ ...table, ...written });
        onTable(`${table.schema}.${table.name}`, written.rows);
      }
      const sequences = await listSequences(client);
      const madeAt = new Date().toISOString();
      const files = filesFolder === undefined ? {} : { files: await copyFilesInto(folder, filesFolder) };
      const manifest = {
        format: 1 as const,
        version: VERSION,
        madeAt,
        lastMigration,
        tables,
        sequences,
        ...files,
        ...sealed,
      };
      writeManifest(folder, manifest);
      return manifest;
    } finally {
      client.release(true);
    }
  } finally {
    await database.$client.end();
  }
}

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
  await pipeline(rows, createGzip({ level: 6 }), hashed, file);
  return { rows: rows.rowCount, sha256: hash.digest('hex') };
}
