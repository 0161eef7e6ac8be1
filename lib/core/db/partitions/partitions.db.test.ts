import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createdAtMs, lowestIdAt, newId } from '#lib/core/ids.ts';
import { type Database, openDatabase } from '../client.ts';
import { migrateDatabase } from '../migrate.ts';
import { listMigrations } from '../migration-history.ts';
import { convertBack } from './convert-back.ts';
import { CONVERSION_POINTS, convertToPartitions } from './convert.ts';
import { maintainPartitions } from './maintain.ts';
import { PARTITIONED_TABLES, readShapes } from './shape.ts';

const ROWS = 200;
const WORKSPACE = newId();
const DAY_MS = 86_400_000;

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 4 });
  await convertBack(database.url);
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
});

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await db.$client.query<Row>(text, values)).rows;

/** An event with a run and its task run. @param id of all of them */
async function insertRun(id: string): Promise<void> {
  await query(
    `with e as (insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, run_id)
       values ($1, $2, $2, 'production', 'triggered', now(), '{}', $1)),
     r as (insert into runs (id, workspace_id, workflow_id, version, event_id, status, created_at)
       values ($1, $2, $2, 1, $1, 'failed', now()))
     insert into task_runs (run_id, task_id, status) values ($1, 1, 'failed')`,
    [id, WORKSPACE],
  );
}

async function insertHistory(): Promise<string[]> {
  const ids = Array.from({ length: ROWS }, (_, day) =>
    lowestIdAt(Date.now() - day * DAY_MS).replace(/0{12}$/, `7${String(day).padStart(11, '0')}`),
  );
  for (const id of ids) await insertRun(id);
  return ids.toSorted();
}

const idsOf = async (table: string, key: string): Promise<string[]> =>
  (await query<{ id: string }>(`select ${key} as id from ${table} order by 1`)).map(({ id }) => id);

const shapes = async (): Promise<string[]> => (await readShapes(db.$client)).map(({ shape }) => shape);

/** Everything of a table that statements and later migrations rely on. */
const describeTables = () =>
  query(
    `select t.name, array_agg(distinct i.indexdef order by i.indexdef) as indexes,
      (select array_agg(replace(pg_get_constraintdef(c.oid), ' NOT VALID', '') order by 1) from pg_constraint c
        where c.conrelid = t.name::regclass and c.contype in ('c', 'p')) as constraints,
      (select array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || a.attnotnull || a.attgenerated::text order by a.attnum)
        from pg_attribute a where a.attrelid = t.name::regclass and a.attnum > 0) as columns
     from unnest(array['events', 'runs', 'task_runs']) t(name)
     left join (select tablename, indexname || replace(indexdef, ' ONLY', '') as indexdef from pg_indexes) i on i.tablename = t.name
     group by 1 order by 1`,
  );

const NAMES = `select indexname from pg_indexes where tablename in ('events', 'runs', 'task_runs') order by 1`;

test('the tables keep rows, columns, constraints and indexes, there and back', async () => {
  const ids = await insertHistory();
  const before = await describeTables();
  const converted = await convertToPartitions(database.url);
  expect(converted.map(({ table }) => table)).toEqual(['events', 'runs', 'task_runs']);
  expect(await shapes()).toEqual(['partitioned', 'partitioned', 'partitioned']);
  expect(await describeTables()).toEqual(before);
  const later = [newId(), lowestIdAt(Date.now() + 70 * DAY_MS), lowestIdAt(Date.now() + 4000 * DAY_MS)];
  for (const id of later) await insertRun(id);
  const all = [...ids, ...later].toSorted();
  for (const { table, key } of PARTITIONED_TABLES) expect(await idsOf(table, key)).toEqual(all);
  expect((await convertBack(database.url)).map(({ table }) => table)).toEqual([
    'events',
    'runs',
    'task_runs',
  ]);
  expect(await shapes()).toEqual(['plain', 'plain', 'plain']);
  expect(await describeTables()).toEqual(before);
  for (const { table, key } of PARTITIONED_TABLES) expect(await idsOf(table, key)).toEqual(all);
  expect(
    await query(
      `select from pg_class where relname ~ '^(events|runs|task_runs)_(past|other|partitioned|[0-9])'`,
    ),
  ).toEqual([]);
  const [, ...beyond] = later;
  await expect(convertToPartitions(database.url)).rejects.toThrow(`the id ${beyond[1]}`);
  for (const { table, key } of PARTITIONED_TABLES)
    await query(`delete from ${table} where ${key} = any($1::uuid[])`, [beyond]);
  await convertToPartitions(database.url);
  for (const { table, key } of PARTITIONED_TABLES)
    expect(await idsOf(table, key)).toEqual(all.filter((id) => !beyond.includes(id)));
}, 60_000);

test.each(PARTITIONED_TABLES.flatMap(({ table }) => CONVERSION_POINTS.map((point) => ({ table, point }))))(
  'a conversion that is killed at $table, $point, is continued by the next one',
  async ({ table, point }) => {
    const ids = await insertHistory();
    const before = await describeTables();
    const kill = convertToPartitions(database.url, {
      at: async (reached, of) => {
        if (reached !== point || of !== table) return;
        await query(
          `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = current_database() and application_name = 'patchbay-partition'`,
        );
      },
    });
    await expect(kill).rejects.toThrow(/terminat|connection error/i);
    // The product runs on what the kill left.
    const beside = newId();
    await insertRun(beside);
    await expect(
      query(`update runs set status = 'succeeded' where id = $1 returning id`, [beside]),
    ).resolves.toHaveLength(1);
    await convertToPartitions(database.url);
    expect(await shapes()).toEqual(['partitioned', 'partitioned', 'partitioned']);
    expect(await describeTables()).toEqual(before);
    for (const each of PARTITIONED_TABLES)
      expect(await idsOf(each.table, each.key)).toEqual([...ids, beside].toSorted());
    expect(await query(`select from pg_constraint where conname like '%before_partitions'`)).toEqual([]);
    expect(await convertToPartitions(database.url)).toEqual([]);
  },
  60_000,
);

test('prepared statements of open connections go on after the swap, with their rows in the right partition', async () => {
  const client = await db.$client.connect();
  try {
    const find = { name: 'find', text: 'select id from events where id = any($1::uuid[])' };
    const [id] = await insertHistory();
    for (let times = 0; times < 7; times += 1)
      expect((await client.query({ ...find, values: [[id]] })).rowCount).toBe(1);
    await convertToPartitions(database.url);
    expect((await client.query({ ...find, values: [[id]] })).rowCount).toBe(1);
    const later = lowestIdAt(Date.now() + 70 * DAY_MS);
    await insertRun(later);
    expect((await client.query({ ...find, values: [[id, later]] })).rowCount).toBe(2);
    expect(await query('select from only events_past where id = $1', [later])).toEqual([]);
  } finally {
    client.release();
  }
});

test('housekeeping makes months ahead, and moves what came before they were there', async () => {
  await convertToPartitions(database.url);
  const muchLater = new Date(Date.now() + 300 * DAY_MS);
  const id = lowestIdAt(muchLater.getTime());
  await insertRun(id);
  expect(await idsOf('events_other', 'id')).toEqual([id]);
  const { made, analyzed } = await maintainPartitions(db.$client, muchLater);
  expect(made.length).toBeGreaterThan(3 * 6);
  expect(analyzed).toEqual([]);
  expect(await idsOf('events_other', 'id')).toEqual([]);
  expect(await idsOf('events', 'id')).toEqual([id]);
  expect((await maintainPartitions(db.$client, muchLater)).made).toEqual([]);
});

test('a conversion that is killed and forgotten is undone before it would refuse webhooks', async () => {
  await expect(
    convertToPartitions(database.url, { at: (point) => Promise.reject(new Error(`killed: ${point}`)) }),
  ).rejects.toThrow('killed: bounded');
  expect(await shapes()).toEqual(['unfinished', 'plain', 'plain']);
  const [bound] = await query<{ bound: string }>(
    `select pg_get_constraintdef(oid) as bound from pg_constraint where conname = 'events_before_partitions'`,
  );
  const startMs = createdAtMs(/'([0-9a-f-]{36})'/.exec(bound?.bound ?? '')?.[1] ?? '');
  const daysBefore = (days: number): Date => new Date(startMs - days * DAY_MS);
  expect(startMs).toBeGreaterThan(Date.now() + 9 * DAY_MS);
  expect((await maintainPartitions(db.$client, daysBefore(6))).released).toEqual([]);
  expect((await maintainPartitions(db.$client, daysBefore(4))).released).toEqual(['events']);
  expect(await shapes()).toEqual(['plain', 'plain', 'plain']);
  await insertRun(lowestIdAt(startMs));
});

test('months that are emptied but for what stays are dropped, and the rest is kept', async () => {
  const ids = await insertHistory();
  await convertToPartitions(database.url);
  const later = [40, 70, 75, 100].map((days) => lowestIdAt(Date.now() + days * DAY_MS));
  for (const id of later) await insertRun(id);
  const then = new Date(Date.now() + 100 * DAY_MS);
  const { dropped } = await maintainPartitions(db.$client, then);
  expect(dropped).toContain('events_past');
  expect(dropped.length).toBeGreaterThanOrEqual(6);
  for (const { table, key } of PARTITIONED_TABLES)
    expect(await idsOf(table, key)).toEqual([...ids, ...later].toSorted());
  expect((await maintainPartitions(db.$client, then)).dropped).toEqual([]);
  expect(
    await query(`select status from runs where id = $1 and rare_status = 'failed'`, [ids[0]]),
  ).toHaveLength(1);
});

test('later migrations change partitioned tables as they change plain ones', async () => {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', 'drizzle');
  const plain = await describeTables();
  const indexes = await query(NAMES);
  await db.$client.end();
  await database.drop();
  database = await createEmptyDatabase();
  db = openDatabase(database.url, { maxConnections: 4 });
  await migrateDatabase(database.url, folder, { upTo: listMigrations(folder)[0]?.when ?? 0 });
  await convertToPartitions(database.url);
  await migrateDatabase(database.url, folder);
  expect(await shapes()).toEqual(['partitioned', 'partitioned', 'partitioned']);
  expect(await query(NAMES)).toEqual(indexes);
  const changed = await describeTables();
  // Columns are added at the end, by each migration.
  expect(changed).toEqual(plain);
  expect(await query(`select from pg_index where not indisvalid`)).toEqual([]);
  await query('drop index runs_retries');
  await query('create index runs_retries on only runs (event_id) where retry_of is not null or version < 0');
  await migrateDatabase(database.url, folder);
  expect(await describeTables()).toEqual(plain);
  expect(await query(`select from pg_index where not indisvalid`)).toEqual([]);
}, 120_000);

test('what does not follow the tables is refused before anything changes', async () => {
  await query('create view my_events as select id from events');
  await expect(convertToPartitions(database.url)).rejects.toThrow('the view my_events');
  expect(await shapes()).toEqual(['plain', 'plain', 'plain']);
});

test('a table that is in use all the time is left as it was', async () => {
  const client = await db.$client.connect();
  try {
    await client.query('begin; select from events');
    await expect(convertToPartitions(database.url, { patienceMs: 200 })).rejects.toThrow(
      'Run the command again',
    );
  } finally {
    await client.query('rollback');
    client.release();
  }
  expect(await shapes()).toEqual(['plain', 'plain', 'plain']);
});

test('gathering the statistics of a whole table may take longer than the other statements of its pool', async () => {
  await convertToPartitions(database.url);
  await query(`select pg_stat_reset_single_table_counters('events'::regclass)`);
  const hurried = openDatabase(database.url, { maxConnections: 1, answerTimeoutMs: 2000 });
  const other = await db.$client.connect();
  await other.query('begin; lock table events in share update exclusive mode');
  const maintained = maintainPartitions(hurried.$client).then(
    ({ analyzed }) => analyzed,
    (error: unknown) => error,
  );
  const waits = `select from pg_stat_activity
    where query = 'analyze events' and wait_event_type = 'Lock' and query_start < now() - interval '2500 milliseconds'`;
  await vi.waitFor(async () => expect(await query(waits)).toHaveLength(1));
  await other.query('rollback');
  other.release();
  expect(await maintained).toContain('events');
  await hurried.$client.end();
});
