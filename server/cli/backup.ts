// `patchbay backup` and `patchbay restore`: database, secrets and files of customers in one folder.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { FILES_FOLDER } from '#lib/core/db/backup/files.ts';
import { BackupError, type BackupFiles, readManifest } from '#lib/core/db/backup/manifest.ts';
import { readBackup } from '#lib/core/db/backup/read-backup.ts';
import { writeBackup } from '#lib/core/db/backup/write-backup.ts';
import { GIGABYTE, LARGE_DATABASE_GIGABYTES, readDatabaseBytes, toGigabytes } from '#lib/core/disk.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import {
  type ErasureFile,
  erasureFileSchema,
  exportErasures,
  importErasures,
} from '#lib/workflows/erasure/carry-over.ts';
import {
  findUnopened,
  listSealedSamples,
  type SealedSample,
} from '#lib/workflows/secrets/rotate-stored-secrets.ts';
import { readSecrets, type Secrets, writeSecrets } from '../launcher/secrets.ts';
import { isClaimed } from '../launcher/single-instance.ts';
import { findPauseMs, rotateBackups } from './backup-rotation.ts';
import { withDatabase, withInstallation } from './installation.ts';
import type { Output } from './output.ts';

const SECRETS = 'secrets.json';

interface BackupOptions {
  /** Of a restore: a file of `patchbay erasures`. */
  erasures?: string | undefined;
  /** Also where the available keys do not decrypt everything, for administrators who have lost some keys. */
  skipKeyCheck?: boolean | undefined;
  /** After which the rows must have been read; left out: MAX_SNAPSHOT_MINUTES. */
  maxMinutes?: number | undefined;
}

/** A backup whose folder is one of several. */
interface ScheduledOptions extends BackupOptions {
  /** The new backup becomes a folder in the one that was named, and this many stay. */
  keep: number;
  /** Makes one after the other, this many hours apart, until the process ends; left out: one. */
  everyHours?: number | undefined;
}

/** Makes backups that replace older ones. @throws BackupError as `backup` does */
export async function backupInTurn(
  folder: string,
  output: Output,
  { keep, everyHours, ...options }: ScheduledOptions,
): Promise<void> {
  const make = () => rotateBackups(folder, { keep }, (target) => backup(target, output, options));
  if (everyHours === undefined) return make();
  for (;;) {
    // A container that is started again does not make one before it is due.
    await pause(findPauseMs(folder, everyHours));
    await make();
  }
}

/**
 * Writes a backup into a new folder. Secrets from settings (`ENCRYPTION_KEYS`) are not in it. @throws BackupError when the
 * folder is not empty, or the keys of this installation do not decrypt its database
 */
export async function backup(
  folder: string,
  output: Output,
  { skipKeyCheck = false, maxMinutes }: BackupOptions = {},
): Promise<void> {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new BackupError(`${target} is not empty: name a new folder.`);
  await withInstallation({ say: output.say }, async ({ settings, databaseUrl }) => {
    const stored = readSecrets(settings.dataFolder);
    let hasKeys = false;
    await warnOfSize(databaseUrl, output);
    mkdirSync(target, { recursive: true, mode: 0o700 });
    try {
      if (stored) copyFileSync(join(settings.dataFolder, SECRETS), join(target, SECRETS));
      const { tables, madeAt, version, files } = await writeBackup(
        databaseUrl,
        target,
        (table, rows) => output.say(`${table}: ${rows}`),
        {
          filesFolder: settings.mediaFolder ?? undefined,
          ...(maxMinutes === undefined ? {} : { maxSnapshotMs: maxMinutes * 60_000 }),
          readSealed: async (client) => {
            const samples = await listSealedSamples(client);
            if (!skipKeyCheck) assertOpened(samples, keysHere(stored), 'the database was made with');
            hasKeys = stored !== null && findUnopened(samples, stored.ENCRYPTION_KEYS) === null;
            return samples;
          },
        },
      );
      const rows = tables.reduce((sum, table) => sum + table.rows, 0);
      const result = { folder: target, madeAt, version, tables: tables.length, rows, secrets: hasKeys };
      output.give({ ...result, files: files?.count ?? null }, [
        `Backup written to ${target}: ${rows} rows of ${tables.length} tables.`,
        files ? describeFiles(files) : 'Files that customers sent are in S3, and not in the backup.',
        ...describeSecrets(hasKeys, stored),
      ]);
    } catch (error) {
      for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true });
      throw error;
    }
  });
}

/**
 * Restores a backup into this installation, which must be new: first the keys, then the rows. A failed restore can be repeated.
 * @throws BackupError when the folder is not a backup, its keys do not decrypt it, or when Patchbay runs, or is not empty
 */
export async function restore(
  folder: string,
  output: Output,
  { skipKeyCheck = false, erasures }: BackupOptions = {},
): Promise<void> {
  const source = resolve(folder);
  const toRepeat = erasures === undefined ? undefined : readErasures(erasures);
  // Before a database is created for an invalid backup.
  const { sealed } = readManifest(source);
  await withInstallation({ mayBeNew: true, say: output.say }, async (installation) => {
    const { settings, databaseUrl, migrationsFolder } = installation;
    if (isClaimed(settings.dataFolder))
      throw new BackupError('Patchbay is running: stop it first, and restore into a new data folder.');
    const { secrets, put } = planSecrets(source, settings.dataFolder);
    const assertKeys = (samples: readonly SealedSample[]): void => {
      if (!skipKeyCheck) assertOpened(samples, keysHere(secrets), 'the backup was made with');
    };
    assertKeys(sealed ?? []);
    put();
    const { tables, madeAt, files } = await readBackup(
      databaseUrl,
      source,
      migrationsFolder,
      (table, rows) => output.say(`${table}: ${rows}`),
      {
        filesFolder: settings.mediaFolder ?? undefined,
        check: async (client) => assertKeys(await listSealedSamples(client)),
      },
    );
    const repeated = toRepeat ? await repeatErasures(databaseUrl, toRepeat) : null;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const result = {
      folder: source,
      madeAt,
      tables: tables.length,
      rows,
      files: files?.count ?? null,
      erasures: repeated,
    };
    output.give(result, [
      `Restored ${rows} rows of ${tables.length} tables, as they were at ${madeAt}. Start Patchbay: runs continue.`,
      ...(repeated === null ? [] : [`Erasures that workers repeat: ${repeated}.`]),
      ...(files ? [describeFiles(files)] : []),
      ...(files?.count && settings.mediaFolder === null
        ? [`MEDIA_STORE is s3: upload ${join(source, FILES_FOLDER)} to the bucket as ${FILES_FOLDER}/.`]
        : []),
    ]);
  });
}

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
function readErasures(path: string): ErasureFile {
  try {
    return erasureFileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new BackupError(`${path} is no file of “patchbay erasures”: ${(error as Error).message}`);
  }
}

/** Stores erasures in a restored database. @returns how many a worker repeats */
async function repeatErasures(databaseUrl: string, file: ErasureFile): Promise<number> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-restore' });
  try {
    return await importErasures(database.$client, file);
  } finally {
    await database.$client.end();
  }
}

async function warnOfSize(databaseUrl: string, output: Output): Promise<void> {
  const database = openDatabase(databaseUrl, { maxConnections: 1, name: 'patchbay-backup' });
  try {
    const bytes = await readDatabaseBytes(database.$client);
    if (bytes > LARGE_DATABASE_GIGABYTES * GIGABYTE)
      output.say(
        `The database has ${toGigabytes(bytes)} GB: from ${LARGE_DATABASE_GIGABYTES} GB on, use pg_basebackup with WAL archiving instead (docs/running/sizing.md).`,
      );
  } finally {
    await database.$client.end();
  }
}

/** The keys that Patchbay would use: a setting takes precedence over the file. */
const keysHere = (stored: Secrets | null): string | undefined =>
  process.env['ENCRYPTION_KEYS'] || stored?.ENCRYPTION_KEYS;

/** @throws BackupError that names the data that the keys do not decrypt */
function assertOpened(samples: readonly SealedSample[], keys: string | undefined, which: string): void {
  const problem = findUnopened(samples, keys);
  if (problem === null) return;
  throw new BackupError(
    `${problem}\nSet ENCRYPTION_KEYS to the keys that ${which}, or put their secrets.json into the data folder. ` +
      'Where a key is lost for good, --skip-key-check continues without it.',
  );
}

/** Describes the secrets in the backup, and those to be stored separately. */
function describeSecrets(hasKeys: boolean, stored: Secrets | null): string[] {
  const outside = [
    ...(hasKeys ? [] : ['ENCRYPTION_KEYS']),
    ...(stored === null || process.env['AUTH_SECRET'] ? ['AUTH_SECRET'] : []),
  ];
  return [
    ...(hasKeys ? ['It holds the keys of what is kept encrypted: keep it where only you can read it.'] : []),
    ...(outside.length === 0
      ? []
      : [
          outside.length === 1
            ? `${outside[0]} is not in it: keep it, too.`
            : `${outside.join(' and ')} are not in it: keep them, too.`,
        ]),
  ];
}

const describeFiles = ({ count, bytes }: BackupFiles): string =>
  `Files that customers sent: ${count} (${(bytes / 1024 ** 2).toFixed(1)} MB).`;

/**
 * The secrets of the restored installation, and how they are stored.
 * @throws BackupError when the data folder has those of another installation
 */
function planSecrets(source: string, dataFolder: string): { secrets: Secrets | null; put: () => void } {
  const [saved, present] = [readSecrets(source), readSecrets(dataFolder)];
  if (saved === null || isDeepStrictEqual(saved, present)) return { secrets: present, put: () => undefined };
  if (present !== null)
    throw new BackupError(
      `${join(dataFolder, SECRETS)} holds the keys of another installation. Restore into a new data folder (PATCHBAY_DATA_DIR).`,
    );
  return { secrets: saved, put: () => writeSecrets(dataFolder, saved) };
}
