import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { connectionBudget, findConnectionShortage } from './connection-budget.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1, name: 'budget-test' });
});
afterAll(async () => {
  await db.$client.end();
  await database.drop();
});

test('README, Settings: what one web and one worker process open at most', () => {
  expect(connectionBudget({ webProcesses: 1, workerProcesses: 1 })).toBe(22 + 20 + 5);
});

test('a database that allows too few connections is told with the way out, one that allows enough is not', async () => {
  const pool = db.$client;
  expect(await findConnectionShortage(pool, { webProcesses: 1, workerProcesses: 1 })).toBeNull();
  const { rows } = await pool.query<{ most: number; reserved: number }>(
    `select current_setting('max_connections')::int as most,
       current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved`,
  );
  const available = (rows[0]?.most ?? 0) - (rows[0]?.reserved ?? 0);
  const many = { webProcesses: 64, workerProcesses: 1 };
  const shortage = await findConnectionShortage(pool, many);
  expect(shortage).toContain(`allows ${available} connections`);
  expect(shortage).toContain('Lower WEB_PROCESSES or WORKER_PROCESSES');
  expect(shortage).toContain(`by ${connectionBudget(many) - available}.`);
});
