import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { passTime } from './pass-time.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2, name: 'test' }).$client;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const ADD_JOB = `select graphile_worker.add_job('advance', '{}'::json, run_at := now() + interval '20 seconds')`;
const WAITS = `select id, extract(epoch from run_at - now())::float8 as seconds from graphile_worker._private_jobs order by id`;

test('a job that is added while time passes is not due before its run', async () => {
  await pool.query(ADD_JOB);
  const passing = new Proxy(pool, {
    get: (target, name) =>
      name === 'query'
        ? async (text: string, values: unknown[]) => {
            const result = await target.query(text, values);
            // A run that starts to wait right after the waiting runs were changed.
            if (text.startsWith('update runs')) await target.query(ADD_JOB);
            return result;
          }
        : (Reflect.get(target, name) as unknown),
  });
  await passTime(passing, { seconds: 10, workflowId: newId(), gone: [] });
  const { rows } = await pool.query<{ seconds: number }>(WAITS);
  expect(rows.map(({ seconds }) => Math.round(seconds / 10))).toEqual([1, 2]);
});
