// Statistics after a migration, which plans are made from when Patchbay starts.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { migrateDatabase } from './migrate.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'drizzle');
const UNKNOWN = -1;
const MANY = 2000;

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrateDatabase(database.url, folder);
  db = openDatabase(database.url, { maxConnections: 1 });
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
});

const countOf = async (table: string): Promise<number | undefined> =>
  (
    await db.$client.query<{ count: number }>(
      'select reltuples::int as count from pg_class where oid = $1::regclass',
      [table],
    )
  ).rows[0]?.count;

test('rows of larger tables are counted; how many a small one has stays unknown', async () => {
  expect(await countOf('runs')).toBe(UNKNOWN);
  await db.$client.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, created_at)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1, gen_random_uuid(), now() from generate_series(1, $1)`,
    [MANY],
  );
  await db.$client.query(
    'insert into run_claims (run_id, epoch, worker_id) values (gen_random_uuid(), 1, gen_random_uuid())',
  );
  await migrateDatabase(database.url, folder);
  expect(await countOf('runs')).toBe(MANY);
  expect(await countOf('run_claims')).toBe(UNKNOWN);
});
