import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { type Database, openDatabase } from './client.ts';
import { compareSchema, NewerDatabaseError } from './compatibility.ts';
import { migrateDatabase } from './migrate.ts';

const known = join(import.meta.dirname, '..', '..', '..', 'drizzle');

let database: TestDatabase;
let db: Database;
/** The migrations of a later version: those of this one and what a test adds. */
let later: string;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, { maxConnections: 1 });
  later = mkdtempSync(join(tmpdir(), 'patchbay-later-'));
  await cp(known, later, { recursive: true });
});
afterEach(async () => {
  await db.$client.end();
  await database.drop();
  rmSync(later, { recursive: true });
});

/** @param oldest what the migration says of older versions */
function addMigration(tag: string, sql: string, oldest?: string): void {
  const path = join(later, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { idx: number; when: number }[] };
  const last = journal.entries.at(-1) ?? { idx: 0, when: 0 };
  const entry = { idx: last.idx + 1, version: '7', when: last.when + 1, tag, breakpoints: true };
  writeFileSync(path, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  writeFileSync(join(later, `${tag}.sql`), sql);
  if (oldest === undefined) return;
  const file = join(later, 'compatibility.json');
  const stated = JSON.parse(readFileSync(file, 'utf8')) as Record<
    'oldest_version_that_may_still_run',
    object
  >;
  stated.oldest_version_that_may_still_run = { ...stated.oldest_version_that_may_still_run, [tag]: oldest };
  writeFileSync(file, JSON.stringify(stated));
}

test('a version runs on a database that a later one only added to, and leaves it as it is', async () => {
  addMigration('9000_adds', 'create table added (id integer)');
  await migrateDatabase(database.url, later);
  expect(await compareSchema(db, known, '0.2.0')).toBe('newer');
  const said: string[] = [];
  await migrateDatabase(database.url, known, { say: (line) => said.push(line) });
  expect(said).toEqual([expect.stringContaining('nothing is migrated')]);
  expect(await compareSchema(db, later)).toBe('current');
});

test('versions that a migration leaves behind are refused by name, later ones run', async () => {
  addMigration('9000_adds', 'create table added (id integer)');
  addMigration('9001_removes', 'drop table added', '0.10.0');
  addMigration('9002_adds', 'create table another (id integer)', '0.3.0');
  await migrateDatabase(database.url, later);
  await expect(compareSchema(db, known, '0.9.7')).rejects.toThrow(NewerDatabaseError);
  await expect(compareSchema(db, known, '0.9.7')).rejects.toThrow('versions before 0.10.0 cannot run on it');
  expect(await compareSchema(db, known, '0.10.0')).toBe('newer');
});

test('a database that lacks tables is older, and one of which nothing is known is refused', async () => {
  addMigration('9000_adds', 'create table added (id integer)');
  expect(await compareSchema(db, later)).toBe('older');
  await migrateDatabase(database.url, later);
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
    addMigration('9000_first', 'create table first (id integer)');
    addMigration('9001_second', 'alter table busy add column added integer');
    const said: string[] = [];
    const migrating = migrateDatabase(database.url, later, { say: (line) => said.push(line) });
    await expect.poll(() => said).toContainEqual(expect.stringContaining('9001_second'));
    await other.$client.query('insert into first values (1)');
    await holder.query('commit');
    await migrating;
    expect(await compareSchema(db, later)).toBe('current');
  } finally {
    holder.release();
    await other.$client.end();
  }
});
