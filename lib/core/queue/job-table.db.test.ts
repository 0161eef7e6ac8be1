import { once } from 'node:events';
import type { Notification, PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inTransaction, openHotPool, type Pool } from '#lib/core/db/client.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { MAILS, queueJob, RUNS } from './job-table.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 3, name: 'queue-test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('delete from graphile_worker._private_jobs'));

const DUE = `timestamptz '2026-11-28 12:00:00Z'`;

test('queues a job as the queue itself does, of a known kind and of a new one', async () => {
  for (const task of ['advance', 'a_new_kind', 'a_new_kind']) {
    await pool.query('delete from graphile_worker._private_jobs');
    await inTransaction(pool, async (client) => {
      await client.query(`select ${queueJob({ task, lane: RUNS }, `json_build_object('n', 1)`)}`);
      await client.query(`select ${queueJob({ task, lane: MAILS }, `json_build_object('n', 2)`, DUE)}`);
      await client.query(`select graphile_worker.add_job('${task}', json_build_object('n', 1))`);
      await client.query(
        `select graphile_worker.add_job('${task}', json_build_object('n', 2), run_at := ${DUE}, priority := ${MAILS.priority})`,
      );
    });
    const { rows } = await pool.query<{ job: object }>(
      `select to_jsonb(j) - 'id' as job from graphile_worker._private_jobs j order by id`,
    );
    const [first, second, third, fourth] = rows.map(({ job }) => job);
    expect([first, second]).toEqual([third, fourth]);
    expect(second).toMatchObject({ priority: MAILS.priority, payload: { n: 2 } });
  }
});

test('returns the id of the job', async () => {
  const { rows } = await pool.query<{ id: string }>(
    `select ${queueJob({ task: 'advance', lane: RUNS }, `'{}'`)} as id`,
  );
  const jobs = await pool.query<{ id: string }>('select id from graphile_worker._private_jobs');
  expect(rows).toEqual(jobs.rows);
});

test('announces jobs of runs, each transaction once, and no others', async () => {
  const client: PoolClient = await pool.connect();
  try {
    await client.query('listen "jobs:insert"');
    const seen: Notification[] = [];
    client.on('notification', (message) => seen.push(message));
    const announced = once(client, 'notification');
    await pool.query(`select ${queueJob({ task: 'advance', lane: MAILS }, `'{}'`)}`);
    await pool.query(
      `select ${queueJob({ task: 'advance', lane: RUNS }, `'{}'`)} from generate_series(1, 20)`,
    );
    await announced;
    await client.query('select 1');
    expect(seen).toHaveLength(1);
  } finally {
    client.release(true);
  }
});
