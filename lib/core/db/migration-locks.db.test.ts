// Migrations run while Patchbay does: none after the first one may hold up the writers and readers of a hot table. One that needs a
// lock for an instant, such as for a trigger, says so in drizzle/compatibility.json, takes it with its last statements, and gives up
// again and again where another transaction locks the table for longer.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { compareSchema, readCompatibility } from './compatibility.ts';
import { migrateDatabase, splitMigration } from './migrate.ts';
import { listMigrations } from './migration-history.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'drizzle');
/** Those that each webhook, run or message writes or reads. */
const HOT = [
  'events',
  'runs',
  'run_claims',
  'task_runs',
  'processes',
  'signal_waits',
  'used_signals',
  'sent_messages',
  'send_turns',
  'send_rates',
  'workflow_versions',
  'webhook_tokens',
];
/** Lock modes that block neither readers nor writers. */
const HARMLESS = ['AccessShareLock', 'RowShareLock', 'RowExclusiveLock', 'ShareUpdateExclusiveLock'];

/** Longer than a migration waits for a lock. */
const HOLD_MS = 2500;
const LONGEST_WAIT_MS = 1500;

const [first, ...later] = listMigrations(folder);

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createEmptyDatabase();
  await migrateDatabase(database.url, folder, { upTo: first?.when ?? 0 });
  db = openDatabase(database.url, { maxConnections: 4 });
  const { rows } = await db.$client.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public'`,
  );
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(HOT));
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
});

const statementsOf = (tag: string): string[] =>
  splitMigration(folder, tag).inTransaction.split('--> statement-breakpoint');

/** Statements allowed after the first blocking lock: they read and write no rows. */
const INSTANT =
  /^(?:\s*--.*\n)*\s*(?:create (?:or replace )?(?:trigger|function)|alter table \S+ (?:add column|drop constraint)|alter table \S+ add constraint .* not valid)\b/i;

test('no migration after the first one locks a hot table against its readers and writers, but for the instants that are stated', async () => {
  const client = await db.$client.connect();
  try {
    await client.query('begin');
    for (const { tag } of later) {
      const locked = async (): Promise<string[]> =>
        (
          await client.query<{ table: string }>(
            `select distinct c.relname as table from pg_locks l join pg_class c on c.oid = l.relation
            where l.pid = pg_backend_pid() and c.relname = any($1) and l.mode <> all($2) order by 1`,
            [HOT, HARMLESS],
          )
        ).rows.map(({ table }) => table);
      const slow: string[] = [];
      let isHeld = false;
      for (const statement of statementsOf(tag)) {
        await client.query(statement);
        isHeld ||= (await locked()).length > 0;
        if (isHeld && !INSTANT.test(statement)) slow.push(statement);
      }
      expect(slow, `${tag}: statements while a hot table is locked`).toEqual([]);
      const stated = readCompatibility(folder).locks_for_an_instant[tag] ?? [];
      expect(await locked(), `${tag}: hot tables that it locks`).toEqual(stated);
      await client.query('commit and chain');
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
}, 60_000);

test('writers of hot tables wait for migrations an instant at most, while a transaction has these tables for long', async () => {
  const holder = await db.$client.connect();
  await holder.query('begin');
  for (const table of HOT) await holder.query(`lock table ${table} in row exclusive mode`);
  await holder.query(`insert into processes (id, kind) values (gen_random_uuid(), 'web')`);
  let isOver = false;
  let longestMs = 0;
  const writers = HOT.map(async (table) => {
    for (; !isOver; await sleep(20)) {
      const since = Date.now();
      await db.$client.query(`delete from ${table} where false`);
      longestMs = Math.max(longestMs, Date.now() - since);
    }
  });
  try {
    const migrating = migrateDatabase(database.url, folder);
    await Promise.race([migrating, sleep(HOLD_MS)]);
    await holder.query('commit');
    await migrating;
  } finally {
    holder.release();
    isOver = true;
    await Promise.all(writers);
  }
  expect(longestMs).toBeLessThan(LONGEST_WAIT_MS);
  expect(await compareSchema(db, folder)).toBe('current');
}, 60_000);

test('an index of a hot table is created beside its writers, and again where a kill left it invalid', async () => {
  const isValid = async (): Promise<boolean | undefined> =>
    (
      await db.$client.query<{ valid: boolean }>(
        `select indisvalid as valid from pg_index where indexrelid = to_regclass('sent_messages_age')`,
      )
    ).rows[0]?.valid;
  await migrateDatabase(database.url, folder);
  expect(await isValid()).toBe(true);
  await db.$client.query(
    `update pg_index set indisvalid = false where indexrelid = 'sent_messages_age'::regclass`,
  );
  await migrateDatabase(database.url, folder);
  expect(await isValid()).toBe(true);
  await db.$client.query('drop index sent_messages_age');
  await migrateDatabase(database.url, folder);
  expect(await isValid()).toBe(true);
}, 60_000);

test('an index that a later migration replaced is dropped beside its writers, and not created again', async () => {
  const names = async (): Promise<string[]> =>
    (
      await db.$client.query<{ name: string }>(
        `select indexname as name from pg_indexes where tablename = 'sent_messages'`,
      )
    ).rows.map(({ name }) => name);
  expect(await names()).toContain('sent_messages_recipient');
  const creating: string[] = [];
  await migrateDatabase(database.url, folder);
  await migrateDatabase(database.url, folder, { say: (line) => creating.push(line) });
  expect(await names()).not.toContain('sent_messages_recipient');
  expect(await names()).toContain('sent_messages_customer');
  expect(creating).toEqual([]);
}, 60_000);
