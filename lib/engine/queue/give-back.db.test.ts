import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProcessClock } from '#lib/core/clock.ts';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { readsOf } from '#lib/testing/explain.ts';
import { GIVE_BACK, GIVE_BACK_STRAYS, type GivenBack, startHeartbeat } from './heartbeat.ts';

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2 }).$client;
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const giveBack = async (id: string | null = null) => (await pool.query<GivenBack>(GIVE_BACK, [id])).rows[0];
const giveBackStrays = async () => (await pool.query<GivenBack>(GIVE_BACK_STRAYS)).rows[0];

/** A worker whose last heartbeat was this many seconds ago. @returns its id */
async function insertWorker(secondsAgo: number, jobPoolId: string | null): Promise<string> {
  const id = newId();
  await pool.query(
    `insert into processes (id, kind, job_pool_id, heartbeat_at)
    values ($1, 'worker', $2, now() - $3 * interval '1 second')`,
    [id, jobPoolId, secondsAgo],
  );
  return id;
}

const claim = (workerId: string) =>
  pool.query('insert into run_claims (run_id, worker_id) values ($1, $2)', [newId(), workerId]);

/** A job that a pool locked this many seconds ago. */
async function lockJob(jobPoolId: string, secondsAgo: number): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select id from graphile_worker.add_job('advance')`);
  await pool.query(
    `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2 * interval '1 second' where id = $3`,
    [jobPoolId, secondsAgo, rows[0]?.id],
  );
}

const locks = async () =>
  (
    await pool.query<{ locked_by: string }>(
      'select locked_by from graphile_worker.jobs where locked_by is not null',
    )
  ).rows.map(({ locked_by }) => locked_by);
const claimants = async () =>
  (await pool.query<{ worker_id: string }>('select worker_id from run_claims')).rows.map(
    (row) => row.worker_id,
  );

test('what a dead worker held is given back, and nothing of a living one', async () => {
  const [dead, alive] = [await insertWorker(7, 'pool-dead'), await insertWorker(1, 'pool-alive')];
  await Promise.all([claim(dead), claim(alive)]);
  await lockJob('pool-dead', 7);
  await lockJob('pool-alive', 7);
  expect(await giveBack()).toMatchObject({ pools: 1, runs: 1 });
  expect(await locks()).toEqual(['pool-alive']);
  expect(await claimants()).toEqual([alive]);
  expect(await giveBack()).toMatchObject({ pools: 0, runs: 0 });
});

test('a process that stops gives back what it still holds', async () => {
  const id = newId();
  const logger = pino({ level: 'silent' });
  const heartbeat = await startHeartbeat({
    pool,
    processId: id,
    kind: 'worker',
    jobPoolId: 'pool',
    clock: new ProcessClock(),
    logger,
  });
  await claim(id);
  await lockJob('pool', 0);
  await heartbeat.stop();
  expect(await locks()).toEqual([]);
  expect(await claimants()).toEqual([]);
});

test('what unknown pools and workers hold is found by reading all jobs and claims', async () => {
  const alive = await insertWorker(1, 'pool-alive');
  await Promise.all([claim(newId()), claim(alive)]);
  await lockJob('pool-unknown', 7);
  await lockJob('pool-alive', 7);
  await lockJob('pool-starting', 1);
  expect(await giveBack()).toMatchObject({ pools: 0, runs: 0 });
  expect(await giveBackStrays()).toMatchObject({ pools: 1, runs: 1 });
  expect((await locks()).toSorted()).toEqual(['pool-alive', 'pool-starting']);
  expect(await claimants()).toEqual([alive]);
});

test('the sweep of every second reads no job and no claim of a living worker', async () => {
  const alive = await insertWorker(1, 'pool-alive');
  await pool.query(
    `insert into run_claims (run_id, worker_id) select gen_random_uuid(), $1 from generate_series(1, 500)`,
    [alive],
  );
  await pool.query(
    `select graphile_worker.add_job('advance', run_at := now() + interval '1 day') from generate_series(1, 500)`,
  );
  const { rows } = await readsOf(pool, GIVE_BACK, [null]);
  expect(rows).toEqual({ processes: 1 });
});
