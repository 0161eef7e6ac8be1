// Web and worker processes that a service manager starts: too early, with a database of a newer version, with other keys.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBackup } from '#lib/core/db/backup/read-backup.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { findFreePort } from '#lib/core/find-free-port.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { type StartedProcess, startProcess } from '#lib/testing/start-process.ts';
import { createEmptyDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { buildIfNeeded } from './launcher/build.ts';
import { root } from './root.ts';
import { settingsBeside } from './testing/beside-sandbox.ts';

const migrations = join(root, 'drizzle');
const PROGRAMS = ['server/web.ts', 'server/worker.ts'] as const;

let database: TestDatabase;
let settings: Record<string, string>;
let started: StartedProcess | undefined;
beforeEach(async () => {
  await buildIfNeeded(root, () => undefined, new AbortController().signal);
  database = await createEmptyDatabase();
  const base = `http://127.0.0.1:${await findFreePort()}`;
  settings = settingsBeside({ url: 'http://127.0.0.1:1' }, { base, databaseUrl: database.url });
});
afterEach(async () => {
  await started?.stop();
  started = undefined;
  await database.drop();
});

/** The output of a process that ends before it is ready. */
async function refusal(program: string, more: Record<string, string> = {}): Promise<string> {
  let output = '';
  const onOutput = (text: string): void => void (output += text);
  await expect(startProcess(program, { ...settings, ...more }, { onOutput })).rejects.toThrow(
    'ended with code 1',
  );
  return output;
}

test.each(PROGRAMS)('%s waits for the migration, and is ready after it', async (program) => {
  let output = '';
  const starting = startProcess(program, settings, { onOutput: (text) => void (output += text) });
  await expect.poll(() => output).toContain('Waiting for `patchbay migrate`');
  await migrateDatabase(database.url, migrations);
  started = await starting;
});

test.each(PROGRAMS)(
  '%s ends with the reason on a database that a newer version has changed',
  async (program) => {
    await migrateDatabase(database.url, migrations);
    const db = openDatabase(database.url, { maxConnections: 1 });
    await db.execute(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('x', 9999999999999)`,
    );
    await db.execute(
      `update drizzle.patchbay_version set migrated_by = '9.1.0', oldest_version = '9.0.0', last_migration = 9999999999999`,
    );
    await db.$client.end();
    const said = await refusal(program);
    expect(said).toContain(
      'changed by version 9.1.0 of Patchbay, and versions before 9.0.0 cannot run on it',
    );
  },
);

test.each(PROGRAMS)(
  '%s ends with the reason when its keys are not those of the database',
  async (program) => {
    const backup = join(root, 'server', 'testing', 'fixtures', 'backups', '0.2.0', 'backup');
    await readBackup(database.url, backup, migrations, () => undefined);
    const said = await refusal(program, { ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}` });
    expect(said).toContain('ENCRYPTION_KEYS does not open what this database holds');
  },
);
