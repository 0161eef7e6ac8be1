// Runs of jobs that start at the same time are taken together.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import type { RunStore } from '#lib/engine/engine-deps.ts';
import { newId } from '#lib/core/ids.ts';
import { insertWorkflow } from '#lib/testing/insert-workflow.ts';
import { startRun } from '#lib/testing/start-run.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createIntake } from '#lib/webhooks/intake.ts';
import { createRunStore } from './store.ts';

const GRAPH = { tasks: [{ id: 1, type: 'inbound_webhook', name: 'Start', settings: {} }], edges: [] };

let database: TestDatabase;
let pool: Pool;
let token: string;
let statements: number;
let store: RunStore;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 2, name: 'take-test' });
  ({ token } = await insertWorkflow(pool, GRAPH));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => {
  statements = 0;
  const counted = {
    query: (query: string) => {
      statements += 1;
      return pool.query(query);
    },
  };
  store = createRunStore(counted as unknown as Pool, newId());
});

const start = (count: number): Promise<string[]> => {
  const intake = createIntake(pool);
  return Promise.all(Array.from({ length: count }, () => startRun(intake, token)));
};
const idsOf = (runs: readonly { id: string }[]): string[] => runs.map(({ id }) => id);

test('each job gets its own runs, in its order, by one statement', async () => {
  const [a = '', b = '', c = ''] = await start(3);
  const taken = await Promise.all([store.take([b, a]), store.take([newId()]), store.take([c])]);
  expect(taken.map(idsOf)).toEqual([[b, a], [], [c]]);
  expect(statements).toBe(1);
});

test('a run that two jobs name is given to one of them', async () => {
  const [a = '', b = ''] = await start(2);
  const taken = await Promise.all([store.take([a]), store.take([a, b])]);
  expect(taken.map(idsOf)).toEqual([[a], [b]]);
});

test('those of signals have their own statement', async () => {
  const [a = '', b = ''] = await start(2);
  const taken = await Promise.all([store.take([a]), store.take([b], true)]);
  expect(taken.map(idsOf)).toEqual([[a], [b]]);
  expect(statements).toBe(2);
});

test('a run that cannot be read holds up none of another job', async () => {
  const [broken = '', whole = ''] = await start(2);
  await pool.query(`update events set body = '\\xff' where id = (select event_id from runs where id = $1)`, [
    broken,
  ]);
  const [first, second] = await Promise.allSettled([store.take([broken]), store.take([whole])]);
  expect(first.status === 'rejected' && String(first.reason)).toContain('UTF8');
  expect(second).toMatchObject({ status: 'fulfilled', value: [{ id: whole }] });
});
