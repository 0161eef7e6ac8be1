import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { parseSettings } from '#lib/core/env.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { judgeDisk, listHealthChecks } from './list-health-checks.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url);
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});
beforeEach(() => db.$client.query('delete from processes; delete from graphile_worker._private_jobs'));

/** A worker that took its last job this many seconds ago. */
const addWorker = (secondsSinceJob: number, { heartbeat = 'now()' } = {}) =>
  db.$client.query(
    `insert into processes (id, kind, heartbeat_at, last_job_at)
     values ($1, 'worker', ${heartbeat}, now() - $2 * interval '1 second')`,
    [newId(), secondsSinceJob],
  );
const addJob = (dueForSeconds: number) =>
  db.$client.query(
    `select graphile_worker.add_job('advance', '{}', run_at := now() - $1 * interval '1 second')`,
    [dueForSeconds],
  );
const key = (fill: number): string => `k1:${Buffer.alloc(32, fill).toString('base64')}`;
const settings = parseSettings({ DATABASE_URL: 'postgres://unused', ENCRYPTION_KEYS: key(1) });
const OF_RUNS = 3;
const results = async (from = db) =>
  (await listHealthChecks({ db: from }, settings))
    .slice(0, OF_RUNS)
    .map(({ id, result, fix }) => [id, result, fix !== null]);
const find = async (id: string, given: Partial<Parameters<typeof listHealthChecks>[1]> = {}, from = db) =>
  (await listHealthChecks({ db: from }, { ...settings, ...given })).find((check) => check.id === id);

const well = (id: string) => [id, 'ok', false];
const failed = (id: string) => [id, 'failed', true];

test('a worker that takes jobs: all is well', async () => {
  await addWorker(1);
  await addJob(60);
  expect(await results()).toEqual([well('database'), well('workers'), well('queue')]);
});

test('a queue with nothing in it, and one whose jobs are due later, do not stand still', async () => {
  await addWorker(3600);
  expect(await results()).toEqual([well('database'), well('workers'), well('queue')]);
  await addJob(-60);
  expect(await results()).toEqual([well('database'), well('workers'), well('queue')]);
});

test('a worker that lives and takes no job that is due: the queue stands still, since when', async () => {
  await addWorker(60);
  await addJob(30);
  expect(await results()).toEqual([well('database'), well('workers'), failed('queue')]);
  const [, , queue] = await listHealthChecks({ db }, settings);
  expect((Date.now() - Date.parse(queue?.at ?? '')) / 1000).toBeCloseTo(30, -1);
});

test('a worker whose heart stopped is none', async () => {
  await addWorker(1, { heartbeat: `now() - interval '1 minute'` });
  expect(await results()).toEqual([well('database'), failed('workers'), well('queue')]);
});

test('a database that cannot be reached is said, with what to do', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', { maxConnections: 1 });
  const [first] = await results(away);
  expect(first).toEqual(failed('database'));
  await away.$client.end();
});

test('encryption keys that do not open something stored are shown, with what to do', async () => {
  expect(await find('keys')).toMatchObject({ result: 'ok', fix: null });
  const userId = newId();
  await db.$client.query(`insert into users (id, email) values ($1, 'owner@example.com')`, [userId]);
  await db.$client.query(`insert into two_factor (user_id, secret_encrypted) values ($1, $2)`, [
    userId,
    createSecretBox(key(1)).seal('a key', ['installation', 'two_factor', userId]),
  ]);
  expect(await find('keys', { ENCRYPTION_KEYS: key(2) })).toMatchObject({
    result: 'failed',
    fix: expect.stringContaining('patchbay doctor') as string,
  });
  expect(await find('keys', { ENCRYPTION_KEYS: key(1) })).toMatchObject({ result: 'ok' });
});

test('connections: how many are open, and whether PostgreSQL allows as many as all processes open', async () => {
  expect(await find('connections')).toMatchObject({
    result: 'ok',
    what: expect.stringMatching(/^\d+ of \d+ connections to PostgreSQL are open\. .* up to 5\.$/) as string,
  });
  await db.$client.query(
    `insert into processes (id, kind, heartbeat_at) select gen_random_uuid(), 'web', now() from generate_series(1, 400)`,
  );
  expect(await find('connections')).toMatchObject({
    result: 'warning',
    fix: expect.stringContaining('max_connections') as string,
  });
});

test('disk: how much is free; little is a warning, and next to nothing a failure', async () => {
  expect((await find('disk'))?.what).toMatch(/^[\d.]+ GB of [\d.]+ GB free\.$/);
  const gigabyte = 1024 ** 3;
  const judge = (free: number) => judgeDisk({ freeBytes: free * gigabyte, bytes: 100 * gigabyte }).result;
  expect([judge(50), judge(9), judge(0.5)]).toEqual(['ok', 'warning', 'failed']);
});
