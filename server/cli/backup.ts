// `patchbay backup` and `patchbay restore`: database, secrets and files of customers in one folder.
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { FILES_FOLDER } from '#lib/core/db/backup/files.ts';
import { BackupError, type BackupFiles, readManifest } from '#lib/core/db/backup/manifest.ts';
import { readBackup } from '#lib/core/db/backup/read-backup.ts';
import { writeBackup } from '#lib/core/db/backup/write-backup.ts';
import { isClaimed } from '../launcher/single-instance.ts';
import { type Installation, withInstallation } from './installation.ts';
import type { Output } from './output.ts';

const SECRETS = 'secrets.json';

/**
 * Writes a backup into a new folder. Secrets that settings give (`ENCRYPTION_KEYS`) are not in it.
 * @throws BackupError when the folder holds something
 */
export async function backup(folder: string, output: Output): Promise<void> {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new BackupError(`${target} is not empty: name a new folder.`);
  await withInstallation({ say: output.say }, async ({ settings, databaseUrl }) => {
    mkdirSync(target, { recursive: true, mode: 0o700 });
    try {
      const secrets = join(settings.dataFolder, SECRETS);
      const hasSecrets = existsSync(secrets);
      if (hasSecrets) copyFileSync(secrets, join(target, SECRETS));
      const { tables, madeAt, version, files } = await writeBackup(
        databaseUrl,
        target,
        (table, rows) => output.say(`${table}: ${rows}`),
        { filesFolder: settings.mediaFolder ?? undefined },
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const result = { folder: target, madeAt, version, tables: tables.length, rows, secrets: hasSecrets };
      output.give({ ...result, files: files?.count ?? null }, [
        `Backup written to ${target}: ${rows} rows of ${tables.length} tables.`,
        files ? describeFiles(files) : 'Files that customers sent are in S3, and not in the backup.',
        hasSecrets
          ? 'It holds the keys of what is kept encrypted: keep it where only you can read it.'
          : 'ENCRYPTION_KEYS and AUTH_SECRET are not in it: keep them, too.',
      ]);
    } catch (error) {
      for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true });
      throw error;
    }
  });
}

/**
 * Fills this installation, which must be new, with a backup.
 * @throws BackupError when the folder is no backup, or when Patchbay runs, or holds something
 */
export async function restore(folder: string, output: Output): Promise<void> {
  const source = resolve(folder);
  // Before a database is made for what is no backup.
  readManifest(source);
  await withInstallation({ mayBeNew: true, say: output.say }, async (installation) => {
    const { settings, databaseUrl, migrationsFolder } = installation;
    if (isClaimed(settings.dataFolder))
      throw new BackupError('Patchbay is running: stop it first, and restore into a new data folder.');
    const putSecrets = planSecrets(source, installation);
    const { tables, madeAt, files } = await readBackup(
      databaseUrl,
      source,
      migrationsFolder,
      (table, rows) => output.say(`${table}: ${rows}`),
      { filesFolder: settings.mediaFolder ?? undefined },
    );
    putSecrets();
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const result = { folder: source, madeAt, tables: tables.length, rows, files: files?.count ?? null };
    output.give(result, [
      `Restored ${rows} rows of ${tables.length} tables, as they were at ${madeAt}. Start Patchbay: runs continue.`,
      ...(files ? [describeFiles(files)] : []),
      ...(files?.count && settings.mediaFolder === null
        ? [`MEDIA_STORE is s3: upload ${join(source, FILES_FOLDER)} to the bucket as ${FILES_FOLDER}/.`]
        : []),
    ]);
  });
}

const describeFiles = ({ count, bytes }: BackupFiles): string =>
  `Files that customers sent: ${count} (${(bytes / 1024 ** 2).toFixed(1)} MB).`;

/** Checks before anything is written that the backup's secrets have a place. @returns puts them there */
function planSecrets(source: string, { settings }: Installation): () => void {
  const from = join(source, SECRETS);
  if (!existsSync(from)) return () => undefined;
  const to = join(settings.dataFolder, SECRETS);
  if (existsSync(to))
    throw new BackupError(
      `${to} holds the keys of another installation. Restore into a new data folder (PATCHBAY_DATA_DIR).`,
    );
  return () => copyFileSync(from, to);
}
