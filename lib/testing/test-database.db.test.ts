import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './test-database.ts';

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

test('two databases are migrated and know nothing of each other', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const client = await connect(first.url);
  await client.query('CREATE TABLE only_here ()');
  const tables = `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`;
  const firstTables = (await client.query(tables)).rows.map((row: { table_name: string }) => row.table_name);
  await client.end();
  const other = await connect(second.url);
  const secondTables = (await other.query(tables)).rows.map((row: { table_name: string }) => row.table_name);
  await other.end();
  expect(firstTables).toContain('only_here');
  expect(secondTables).not.toContain('only_here');
  expect(secondTables).toContain('workflows');
  await Promise.all([first.drop(), second.drop()]);
});

test('a connection that was left open is an error that names its last statement', async () => {
  const database = await createTestDatabase();
  const client = await connect(database.url);
  await client.query('SELECT 1 AS left_open');
  await expect(database.drop()).rejects.toThrow(/left_open/);
  await expect(connect(database.url)).rejects.toThrow(/does not exist/);
});
