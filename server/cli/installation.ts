// The installation of a command: that of the settings, as for `npm start`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { parseSettings, type Settings } from '#lib/core/env.ts';
import { startEmbeddedPostgres } from '#lib/core/db/embedded-postgres.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { readLaunchSettings, type LaunchSettings } from '../launcher/settings.ts';
import { readSecrets } from '../launcher/secrets.ts';
import { migrationsFolder, root } from '../root.ts';

export interface Installation {
  settings: LaunchSettings;
  databaseUrl: string;
  /** Where the migrations are. */
  migrationsFolder: string;
}

export interface InstallationOptions {
  /** An embedded database is created where there is none yet. */
  mayBeNew?: boolean;
  say: (line: string) => void;
}

/**
 * Runs a function with the database of this installation. An embedded one that does not run is started temporarily. @throws
 * LaunchError when nothing is installed, or a setting is invalid
 */
export async function withInstallation<Result>(
  { mayBeNew = false, say }: InstallationOptions,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const settings = readLaunchSettings(process.env, root);
  if (settings.databaseUrl !== null)
    return work({ settings, databaseUrl: settings.databaseUrl, migrationsFolder });
  const { dataFolder } = settings;
  if (!mayBeNew && !existsSync(join(dataFolder, 'secrets.json')))
    throw new LaunchError(
      `Nothing is installed in ${dataFolder}. Set PATCHBAY_DATA_DIR or DATABASE_URL as for the Patchbay that you mean.`,
    );
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(dataFolder, 'postgres'), say });
  try {
    return await work({ settings, databaseUrl: postgres.url, migrationsFolder });
  } finally {
    // Patchbay runs, and keeps using it.
    if (!postgres.adopted) await postgres.stop();
  }
}

/** As withInstallation, with a connection. */
export const withDatabase = <Result>(
  options: InstallationOptions,
  work: (db: Database, installation: Installation) => Promise<Result>,
): Promise<Result> =>
  withInstallation(options, async (installation) => {
    const db = openDatabase(installation.databaseUrl, { maxConnections: 2, name: 'patchbay-cli' });
    try {
      return await work(db, installation);
    } finally {
      await db.$client.end();
    }
  });

/** The settings that web and worker processes have, as far as they are in the environment. @throws LaunchError */
export function readProductSettings(databaseUrl = 'postgres://unused'): Settings {
  const { dataFolder } = readLaunchSettings(process.env, root);
  return parseSettings({ ...process.env, DATABASE_URL: databaseUrl, PATCHBAY_DATA_DIR: dataFolder });
}

/** `ENCRYPTION_KEYS` of an installation: a setting takes precedence over its file. */
export const findEncryptionKeys = ({ dataFolder }: LaunchSettings): string | undefined =>
  process.env['ENCRYPTION_KEYS'] || readSecrets(dataFolder)?.ENCRYPTION_KEYS;

/** As findEncryptionKeys. @throws LaunchError when there are none */
export function encryptionKeysOf(settings: LaunchSettings): string {
  const keys = findEncryptionKeys(settings);
  if (keys) return keys;
  throw new LaunchError(
    'There are no encryption keys: set ENCRYPTION_KEYS, or put secrets.json into the data folder.',
  );
}
