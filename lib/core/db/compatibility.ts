// Which versions may run on a database that a newer one has migrated (docs/operations.md, "Upgrades"). A migration that
// breaks older versions names in drizzle/compatibility.json the oldest one that may still run; migrating writes that into the
// database, where older versions read it. Databases older than the first migration are not migrated.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { VERSION } from '#lib/core/version.ts';
import type { Database } from './client.ts';
import { findLastMigration, listMigrations, type Migration } from './migration-history.ts';

const FILE = 'compatibility.json';
/** There were no users before it. */
const FIRST_RELEASE = '0.1.0';
const version = z.string().regex(/^\d+\.\d+\.\d+$/);
const compatibilitySchema = z.strictObject({
  /** The first migration creates its tables: older databases and backups are refused. */
  oldest_version_that_is_migrated: version,
  /** By the migration's name; one that is not listed is compatible with the same versions as the previous one. */
  oldest_version_that_may_still_run: z.record(z.string(), version),
  /**
   * By the migration's name: the tables of every webhook, run or message that its last statements lock against writers, for
   * an instant only, as for a trigger.
   */
  locks_for_an_instant: z.record(z.string(), z.array(z.string())),
});

type Compatibility = z.output<typeof compatibilitySchema>;

/** The database is too new or too old for this version. The message says how to fix it. */
export class UnfitDatabaseError extends Error {}

/** How a database's tables compare with those of this version; `newer`: but this version may run on them. */
export type SchemaState = 'empty' | 'older' | 'current' | 'newer';

const VERSIONS = new Intl.Collator('en', { numeric: true });

export const isOlderVersion = (one: string, other: string): boolean => VERSIONS.compare(one, other) < 0;

/** What migrations declare about older versions and locks. @throws ZodError when the file is malformed */
export const readCompatibility = (migrationsFolder: string): Compatibility =>
  compatibilitySchema.parse(JSON.parse(readFileSync(join(migrationsFolder, FILE), 'utf8')));

/**
 * The version to upgrade to first, when the database is older than the first migration; null: it is not.
 * @param lastMigration its `when`
 */
export function findDetour(lastMigration: number, migrationsFolder: string): string | null {
  const first = listMigrations(migrationsFolder)[0]?.when ?? 0;
  return lastMigration < first ? readCompatibility(migrationsFolder).oldest_version_that_is_migrated : null;
}

/**
 * Compares a database with this version.
 * @param version this one; given by tests only
 * @throws UnfitDatabaseError when it was changed by a version that this one may not run beside, or is older than what it migrates
 */
export async function compareSchema(
  database: Pick<Database, 'execute'>,
  migrationsFolder: string,
  version = VERSION,
): Promise<SchemaState> {
  const last = await findLastMigration(database);
  const newest = listMigrations(migrationsFolder).at(-1)?.when ?? 0;
  if (last === null) return 'empty';
  const detour = findDetour(last, migrationsFolder);
  if (detour !== null)
    throw new UnfitDatabaseError(
      `This database is of a version of Patchbay before ${detour}, which ${version} cannot upgrade. Nothing was changed. ` +
        `Upgrade it with ${detour} first (ops/releases.json has its commit), and then with this version.`,
    );
  if (last <= newest) return last === newest ? 'current' : 'older';
  const record = await readRecord(database);
  const found = record !== null && record.last >= last ? record : null;
  if (found !== null && !isOlderVersion(version, found.oldest)) return 'newer';
  throw new UnfitDatabaseError(
    `This database was changed by ${found === null ? 'a newer version' : `version ${found.by}`} of Patchbay` +
      (found === null
        ? '. '
        : `, and versions before ${found.oldest} cannot run on it: this is ${version}. `) +
      'Nothing was changed now. Start that version again, or restore a backup that this version made into an empty database.',
  );
}

/**
 * Records in the database which versions may run on it after these migrations. Called before they are applied, so that no
 * older version finds the tables without the record.
 */
export async function recordCompatibility(
  database: Pick<Database, 'execute'>,
  migrationsFolder: string,
  migrations: readonly Migration[],
): Promise<void> {
  if (migrations.length === 0) return;
  const { oldest_version_that_may_still_run: stated } = readCompatibility(migrationsFolder);
  await database.execute(CREATE_RECORD);
  const before = (await readRecord(database))?.oldest ?? FIRST_RELEASE;
  const oldest = migrations.reduce((most, { tag }) => {
    const own = stated[tag] ?? most;
    return isOlderVersion(most, own) ? own : most;
  }, before);
  await database.execute(
    `insert into drizzle.patchbay_version (id, migrated_by, oldest_version, last_migration)
      values (1, '${VERSION}', '${oldest}', ${migrations.at(-1)?.when})
    on conflict (id) do update set migrated_by = excluded.migrated_by, oldest_version = excluded.oldest_version,
      last_migration = excluded.last_migration`,
  );
}

/** The oldest version that may run on a database; null: not recorded. */
export const findOldestVersion = async (database: Pick<Database, 'execute'>): Promise<string | null> =>
  (await readRecord(database))?.oldest ?? null;

/** Separate from drizzle's own history: this table describes the others, and is not part of backups. */
const CREATE_RECORD = `
create schema if not exists drizzle;
create table if not exists drizzle.patchbay_version (
  id integer primary key check (id = 1), migrated_by text not null, oldest_version text not null,
  last_migration bigint not null)`;

interface VersionRecord {
  by: string;
  oldest: string;
  /** The newest migration it covers (`when`): later ones are unknown. */
  last: number;
}

async function readRecord(database: Pick<Database, 'execute'>): Promise<VersionRecord | null> {
  const { rows: found } = await database.execute<{ known: boolean }>(
    `select to_regclass('drizzle.patchbay_version') is not null as known`,
  );
  if (!found[0]?.known) return null;
  const { rows } = await database.execute<{ by: string; oldest: string; last: string }>(
    'select migrated_by as by, oldest_version as oldest, last_migration as last from drizzle.patchbay_version',
  );
  return rows[0] ? { ...rows[0], last: Number(rows[0].last) } : null;
}
