import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '#lib/core/db/client.ts';
import { convertBack } from '#lib/core/db/partitions/convert-back.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { partition, type PartitionCommand } from './partition.ts';

const TABLES = ['events', 'runs', 'task_runs'];
const ROLE = 'patchbay_partition_test';

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
  await convertBack(database.url);
  // Vite sets it.
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('DATABASE_URL', database.url);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await db.$client.end();
  await database.drop();
});

/** Runs the command. @returns what it gives to programs, and all lines that people read */
async function run(options: PartitionCommand): Promise<{ shapes: unknown; text: string }> {
  const lines: string[] = [];
  let shapes: unknown;
  await partition(options, {
    say: (line) => lines.push(line),
    line: () => true,
    give(value, text) {
      shapes = (value as { table: string; shape: string }[]).map(({ table, shape }) => `${table} ${shape}`);
      lines.push(...text);
    },
  });
  return { shapes, text: lines.join('\n') };
}

const all = (shape: string): string[] => TABLES.map((table) => `${table} ${shape}`);

test('it converts, says what there is, and converts back', async () => {
  expect((await run({ status: true })).shapes).toEqual(all('plain'));
  const converted = await run({ anySize: true });
  expect(converted.shapes).toEqual(all('partitioned'));
  expect(converted.text).toMatch(/runs was locked for [\d.]+ ms and [\d.]+ ms\./);
  const { text } = await run({ status: true });
  expect(text).toMatch(/^events: \d partitions/);
  expect(text).toMatch(/ {2}task_runs_past, before \d{4}-\d\d-01\n/);
  expect(text).toMatch(/ {2}task_runs_other, everything else$/);
  expect((await run({})).text).toContain('All tables are partitioned: there is nothing to do.');
  expect((await run({ back: true })).shapes).toEqual(all('plain'));
  expect((await run({ back: true })).text).toContain('there is nothing to do');
});

test('small tables are left as they are', async () => {
  await expect(run({})).rejects.toThrow(
    /take [\d.]+ MB\. Below 10\.0 GB partitions give nothing\. Nothing was changed\. Use --any-size/,
  );
  expect((await run({ status: true })).shapes).toEqual(all('plain'));
});

test('a role without the rights is told which ones are missing', async () => {
  await db.$client.query(`create role ${ROLE} login password 'patchbay' `);
  try {
    await db.$client.query(`grant select on all tables in schema public to ${ROLE}`);
    const url = new URL(database.url);
    [url.username, url.password] = [ROLE, 'patchbay'];
    vi.stubEnv('DATABASE_URL', url.href);
    await expect(run({ anySize: true })).rejects.toThrow(
      `The role ${ROLE} does not own the table events. Use a DATABASE_URL of`,
    );
    await db.$client.query(
      `alter table events owner to ${ROLE}; alter table runs owner to ${ROLE}; alter table task_runs owner to ${ROLE}`,
    );
    await expect(run({ anySize: true })).rejects.toThrow(`grant create on schema public to "${ROLE}"`);
    expect((await run({ status: true })).shapes).toEqual(all('plain'));
  } finally {
    await db.$client.query(`drop owned by ${ROLE}; drop role ${ROLE}`);
  }
});
