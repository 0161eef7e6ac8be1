// `patchbay erasures`, and what a restore does with its file.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { BackupError } from '#lib/core/db/backup/manifest.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import {
  type ErasureFile,
  erasureFileSchema,
  exportErasures,
  importErasures,
} from '#lib/workflows/erasure/carry-over.ts';
import { withDatabase } from './installation.ts';
import type { Output } from './output.ts';

/** Writes all erasures into a file, which replaces an earlier one. */
export const writeErasures = (path: string, output: Output): Promise<void> =>
  withDatabase({ say: output.say }, async (db) => {
    const target = resolve(path);
    const file = await exportErasures(db.$client);
    writeFileSync(`${target}.part`, JSON.stringify(file), { mode: 0o600 });
    renameSync(`${target}.part`, target);
    output.give({ file: target, erasures: file.erasures.length }, [
      `${file.erasures.length} erasures written to ${target}: restore a backup with --erasures ${target}.`,
    ]);
  });

/** @throws BackupError when it is not a file of `writeErasures` */
export function readErasures(path: string): ErasureFile {
  try {
    return erasureFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BackupError(`${path} is no file of “patchbay erasures”: ${(error as Error).message}`);
  }
}

/** Stores erasures in a restored database. @returns how many a worker repeats */
export async function repeatErasures(databaseUrl: string, file: ErasureFile): Promise<number> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-restore' });
  try {
    return await importErasures(database.$client, file);
  } finally {
    await database.$client.end();
  }
}
