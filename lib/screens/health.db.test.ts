import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { listHealthChecks } from './list-health-checks.ts';

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

/** A worker that took its last job so many seconds ago. */
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
const results = async (from = db) =>
  (await listHealthChecks({ db: from })).map(({ id, result, fix }) => [id, result, fix !== null]);

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
  const [, , queue] = await listHealthChecks({ db });
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
