import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { compareSchema, UnfitDatabaseError } from './compatibility.ts';
import { migrateDatabase } from './migrate.ts';
import { LaterMigrations } from './testing/later-migrations.ts';

const known = join(import.meta.dirname, '..', '..', '..', 'drizzle');

let database: TestDatabase;
let db: Database;
let later: LaterMigrations;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
  later = new LaterMigrations();
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
  later[Symbol.dispose]();
});

test('a version runs on a database that a later one only added to, and leaves it as it is', async () => {
  later.add('9000_adds', 'create table added (id integer)');
  await migrateDatabase(database.url, later.folder);
  expect(await compareSchema(db, known, '0.2.0')).toBe('newer');
  const said: string[] = [];
  await migrateDatabase(database.url, known, { say: (line) => said.push(line) });
  expect(said).toEqual([expect.stringContaining('nothing is migrated')]);
  expect(await compareSchema(db, later.folder)).toBe('current');
});

test('versions that a migration leaves behind are refused by name, later ones run', async () => {
  later.add('9000_adds', 'create table added (id integer)');
  later.add('9001_removes', 'drop table added', '0.10.0');
  later.add('9002_adds', 'create table another (id integer)', '0.3.0');
  await migrateDatabase(database.url, later.folder);
  await expect(compareSchema(db, known, '0.9.7')).rejects.toThrow(UnfitDatabaseError);
  await expect(compareSchema(db, known, '0.9.7')).rejects.toThrow('versions before 0.10.0 cannot run on it');
  expect(await compareSchema(db, known, '0.10.0')).toBe('newer');
});

test('a database that lacks tables is older, and one of which nothing is known is refused', async () => {
  later.add('9000_adds', 'create table added (id integer)');
  expect(await compareSchema(db, later.folder)).toBe('older');
  await migrateDatabase(database.url, later.folder);
  await db.execute('drop table drizzle.patchbay_version');
  await expect(compareSchema(db, known)).rejects.toThrow('a newer version of Patchbay');
});

test('what one migration locks is free while the next one waits, and a table in use holds up nobody else', async () => {
  await db.execute('create table busy (id integer)');
  const other = openDatabase(database.url, { maxConnections: 2 });
  const holder = await other.$client.connect();
  try {
    await holder.query('begin');
    await holder.query('insert into busy values (1)');
    later.add('9000_first', 'create table first (id integer)');
    later.add('9001_second', 'alter table busy add column added integer');
    const said: string[] = [];
    const migrating = migrateDatabase(database.url, later.folder, { say: (line) => said.push(line) });
    await expect.poll(() => said).toContainEqual(expect.stringContaining('9001_second'));
    await other.$client.query('insert into first values (1)');
    await holder.query('commit');
    await migrating;
    expect(await compareSchema(db, later.folder)).toBe('current');
  } finally {
    holder.release();
    await other.$client.end();
  }
});

test('a database of before the first migration is refused with the version that it goes through, and stays as it is', async () => {
  const asOfBefore = `update drizzle.__drizzle_migrations set created_at = 1`;
  await db.execute(asOfBefore);
  await expect(compareSchema(db, known, '0.9.0')).rejects.toThrow(UnfitDatabaseError);
  await expect(migrateDatabase(database.url, known)).rejects.toThrow('Upgrade it with 0.2.0 first');
  const { rows } = await db.execute('select created_at::int as last from drizzle.__drizzle_migrations');
  expect(rows).toContainEqual({ last: 1 });
});
