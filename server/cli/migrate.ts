import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { prepareStored } from '../launcher/prepare-stored.ts';
import { encryptionKeysOf, withInstallation } from './installation.ts';
import type { Output } from './output.ts';

/** `patchbay migrate`: the database steps of `npm start`, for installations that start web and worker separately. */
export async function migrateInstallation(output: Output): Promise<void> {
  await withInstallation({ say: output.say }, async ({ settings, databaseUrl, migrationsFolder }) => {
    await migrateDatabase(databaseUrl, migrationsFolder);
    await prepareStored(databaseUrl, encryptionKeysOf(settings));
  });
  output.give({ migrated: true }, ["The database has this version's tables."]);
}
