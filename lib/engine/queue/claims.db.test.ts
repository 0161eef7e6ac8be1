import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { areHeldUnclaimed } from '../store/take.ts';
import { type Claims, createClaims } from './claims.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2 }).$client;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let runId: string;
let claims: Claims;
/** A run that a worker took twice. */
beforeEach(async () => {
  runId = newId();
  const workerId = newId();
  claims = createClaims(pool, workerId);
  await pool.query(
    `insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, status, epoch, worker_id)
    values ($1, $2, $2, 1, $2, now(), 'running', 2, $3)`,
    [runId, newId(), workerId],
  );
});

const taken = (epoch: number) => [{ id: runId, epoch }];
const isUnclaimed = () => areHeldUnclaimed(pool, newId(), [runId]);

test('a run is claimed by the claim of its last taking', async () => {
  expect(await isUnclaimed()).toBe(true);
  await claims.claim(taken(2));
  expect(await isUnclaimed()).toBe(false);
  await claims.release(taken(2));
  expect(await isUnclaimed()).toBe(true);
});

test('whoever releases a run that was taken from it sees to it that a worker looks at the run', async () => {
  const jobs = async () =>
    (
      await pool.query(
        `select from graphile_worker._private_jobs where payload::jsonb -> 'run_ids' = jsonb_build_array($1::text)`,
        [runId],
      )
    ).rows.length;
  await claims.claim(taken(2));
  await claims.release(taken(2));
  expect(await jobs()).toBe(0);
  await claims.claim(taken(1));
  await claims.release(taken(1));
  expect(await jobs()).toBe(1);
  await claims.release(taken(1));
  expect(await jobs()).toBe(1);
});

test('nobody goes by the claim of an earlier taking, which was not released', async () => {
  await claims.claim(taken(1));
  expect(await isUnclaimed()).toBe(true);
  await claims.claim(taken(2));
  expect(await isUnclaimed()).toBe(false);
});

test('what is executed late of an earlier taking leaves the claim of a later one alone', async () => {
  await claims.claim(taken(2));
  await claims.claim(taken(1));
  await claims.release(taken(1));
  expect(await isUnclaimed()).toBe(false);
});
