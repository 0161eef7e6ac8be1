import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#lib/core/db/client.ts';
import { UnfitDatabaseError } from '#lib/core/db/compatibility.ts';
import { migrateDatabase } from '#lib/core/db/migrate.ts';
import { listMigrations } from '#lib/core/db/migration-history.ts';
import { LaterMigrations } from '#lib/core/db/testing/later-migrations.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { BackupError } from './manifest.ts';
import { readBackup } from './read-backup.ts';
import { writeBackup } from './write-backup.ts';

const migrations = join(import.meta.dirname, '..', '..', '..', '..', 'drizzle');
const quiet = (): void => undefined;

let source: TestDatabase;
let folder: string;
beforeAll(async () => {
  source = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'patchbay-backup-'));
  await query(
    source.url,
    `insert into workspaces (id, name) values (gen_random_uuid(), E'Tab\\t, line\\n, \\\\N and “quotes”');
     insert into workflows (id, workspace_id, name, draft, next_task_id, trigger_task_id, active)
       select gen_random_uuid(), id, 'A workflow', '{"tasks": [], "edges": []}', 2, 1, true from workspaces;
     insert into workflow_versions (workflow_id, version, name, graph)
       select id, 1, name, '{"tasks": [], "edges": []}' from workflows;
     update workflows set published_version = 1;
     insert into users (id, email) values (gen_random_uuid(), 'owner@example.com');
     insert into memberships (workspace_id, user_id, role) select w.id, u.id, 'owner' from workspaces w, users u;
     select graphile_worker.add_job('advance', '{"run_ids": []}'::json, run_at => now() + interval '1 hour');`,
  );
  await writeBackup(source.url, folder, quiet);
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await source.drop();
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const result: unknown = await client.query(text);
    return Array.isArray(result) ? [] : (result as { rows: Record<string, unknown>[] }).rows;
  } finally {
    await client.end();
  }
}

/** Every row of every table, and the values of sequences. */
async function contentOf(url: string): Promise<Map<string, unknown>> {
  const tables = await query(
    url,
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and not c.relispartition and n.nspname in ('public', 'graphile_worker') order by 1`,
  );
  const content = new Map<string, unknown>();
  for (const { name } of tables)
    content.set(String(name), await query(url, `select t::text from ${String(name)} t order by 1`));
  content.set('sequences', await query(url, `select * from pg_sequences order by 1, 2`));
  content.set(
    'keys',
    await query(
      url,
      `select conname, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition from pg_constraint
       where not exists (select from pg_class where oid = conrelid and relispartition) order by 1, 2`,
    ),
  );
  return content;
}

test('what is restored is what was backed up, to the last row, constraint and counter', async () => {
  const target = await createEmptyDatabase();
  try {
    await readBackup(target.url, folder, migrations, quiet);
    const [restored, original] = [await contentOf(target.url), await contentOf(source.url)];
    // The times of the queue's migrations differ in the new database.
    for (const content of [restored, original]) content.delete('graphile_worker.migrations');
    expect(restored).toEqual(original);
    expect(JSON.stringify(restored.get('public.workspaces'))).toContain('“quotes”');
  } finally {
    await target.drop();
  }
});

test('a database that holds a Patchbay is left alone', async () => {
  await expect(readBackup(source.url, folder, migrations, quiet)).rejects.toThrow(BackupError);
  await expect(readBackup(source.url, folder, migrations, quiet)).rejects.toThrow(/empty database/);
});

test('a damaged or incomplete backup is refused before anything is written', async () => {
  const target = await createEmptyDatabase();
  const file = join(folder, 'public.workspaces.copy.gz');
  const [before, manifest] = [readFileSync(file), readFileSync(join(folder, 'backup.json'), 'utf8')];
  try {
    appendFileSync(file, 'x');
    await expect(readBackup(target.url, folder, migrations, quiet)).rejects.toThrow(/was changed since/);
    rmSync(join(folder, 'backup.json'));
    await expect(readBackup(target.url, folder, migrations, quiet)).rejects.toThrow(/no complete backup/);
    expect(await query(target.url, `select from pg_class where relname = 'workspaces'`)).toEqual([]);
  } finally {
    writeFileSync(file, before);
    writeFileSync(join(folder, 'backup.json'), manifest);
    await target.drop();
  }
});

test('a restore that broke off can be started again, and then a third one is refused', async () => {
  const target = await createEmptyDatabase();
  const path = join(folder, 'backup.json');
  const manifest = readFileSync(path, 'utf8');
  try {
    // The last table lacks a row: everything before it was filled.
    const { tables, ...rest } = JSON.parse(manifest) as { tables: { rows: number }[] };
    const broken = tables.with(-1, { ...tables.at(-1), rows: (tables.at(-1)?.rows ?? 0) + 1 });
    writeFileSync(path, JSON.stringify({ ...rest, tables: broken }));
    await expect(readBackup(target.url, folder, migrations, quiet)).rejects.toThrow(/instead of/);
    expect(await query(target.url, 'select from workspaces')).toEqual([]);
    writeFileSync(path, manifest);
    await readBackup(target.url, folder, migrations, quiet);
    expect(await query(target.url, 'select from workspaces')).toHaveLength(1);
    await expect(readBackup(target.url, folder, migrations, quiet)).rejects.toThrow(/empty database/);
  } finally {
    writeFileSync(path, manifest);
    await target.drop();
  }
});

test('a restore that failed after its rows were committed is repeated, and another backup is refused meanwhile', async () => {
  const target = await createEmptyDatabase();
  const newer = mkdtempSync(join(tmpdir(), 'patchbay-migrations-'));
  const other = mkdtempSync(join(tmpdir(), 'patchbay-backup-'));
  try {
    cpSync(migrations, newer, { recursive: true });
    const journal = JSON.parse(readFileSync(join(newer, 'meta', '_journal.json'), 'utf8')) as {
      entries: { idx: number; when: number; tag: string }[];
    };
    const last = journal.entries.at(-1);
    const entries = [...journal.entries, { ...last, when: (last?.when ?? 0) + 1, tag: '9999_next' }];
    writeFileSync(join(newer, 'meta', '_journal.json'), JSON.stringify({ ...journal, entries }));
    writeFileSync(join(newer, '9999_next.sql'), 'select 1 / 0');
    await expect(readBackup(target.url, folder, newer, quiet)).rejects.toThrow();
    expect(await query(target.url, 'select from workspaces')).toHaveLength(1);

    await writeBackup(source.url, other, quiet);
    await expect(readBackup(target.url, other, newer, quiet)).rejects.toThrow(/empty database/);
    writeFileSync(join(newer, '9999_next.sql'), 'create table next_one ()');
    await readBackup(target.url, folder, newer, quiet);
    expect(await query(target.url, 'select from next_one')).toEqual([]);
    expect(await query(target.url, 'select from workspaces')).toHaveLength(1);
    await expect(readBackup(target.url, folder, newer, quiet)).rejects.toThrow(/empty database/);
  } finally {
    for (const path of [newer, other]) rmSync(path, { recursive: true });
    await target.drop();
  }
});

test.each([
  [
    'a newer version',
    '9.1.0',
    9_999_999_999_999,
    'which this version does not know. Restore it with that version.',
  ],
  ['a version before those that are migrated', '0.1.0', 1, 'Restore it with version 0.2.0'],
])('a backup that %s made is refused by its version', async (_, version, lastMigration, said) => {
  const target = await createEmptyDatabase();
  const path = join(folder, 'backup.json');
  const manifest = readFileSync(path, 'utf8');
  try {
    writeFileSync(path, JSON.stringify({ ...JSON.parse(manifest), version, lastMigration }));
    const restoring = readBackup(target.url, folder, migrations, quiet);
    await expect(restoring).rejects.toThrow(`made by version ${version} of Patchbay`);
    await expect(restoring).rejects.toThrow(said);
  } finally {
    writeFileSync(path, manifest);
    await target.drop();
  }
});

test('a backup of an earlier version is restored, and then brought to this one', async () => {
  using later = new LaterMigrations();
  later.add('9000_adds', 'create table added (id integer)');
  const [old, target] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const oldFolder = mkdtempSync(join(tmpdir(), 'patchbay-backup-'));
  try {
    await migrateDatabase(old.url, migrations);
    await query(old.url, `insert into workspaces (id, name) values (gen_random_uuid(), 'From before')`);
    await writeBackup(old.url, oldFolder, quiet);
    const manifest = await readBackup(target.url, oldFolder, later.folder, quiet);
    expect(manifest.lastMigration).toBe(listMigrations(migrations).at(-1)?.when);
    expect(await query(target.url, 'select name from workspaces')).toEqual([{ name: 'From before' }]);
    expect(
      await query(target.url, 'select max(created_at)::text as last from drizzle.__drizzle_migrations'),
    ).toEqual([{ last: String(listMigrations(later.folder).at(-1)?.when) }]);
    expect(await query(target.url, 'select id from added')).toEqual([]);
  } finally {
    rmSync(oldFolder, { recursive: true });
    await old.drop();
    await target.drop();
  }
});

test('a database that a newer version has changed is not migrated, and stays as it is', async () => {
  const target = await createTestDatabase();
  const db = openDatabase(target.url, { maxConnections: 1 });
  try {
    await db.execute(
      `insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9999999999999)`,
    );
    await expect(migrateDatabase(target.url, migrations)).rejects.toThrow(UnfitDatabaseError);
  } finally {
    await db.$client.end();
    await target.drop();
  }
});

test('files come with the rows, and one that was changed or is missing is found before anything is written', async () => {
  const [from, into, saved] = ['from', 'into', 'saved'].map((name) =>
    mkdtempSync(join(tmpdir(), `patchbay-files-${name}-`)),
  ) as [string, string, string];
  const target = await createEmptyDatabase();
  try {
    mkdirSync(join(from, '2026-11-22'));
    writeFileSync(join(from, '2026-11-22', 'one'), 'of a customer');
    writeFileSync(join(from, '2026-11-22', 'two.part'), 'not complete');
    const { files } = await writeBackup(source.url, saved, quiet, { filesFolder: from });
    expect(files).toMatchObject({ count: 1, bytes: 13 });

    const copy = join(saved, 'media', '2026-11-22', 'one');
    const restore = () => readBackup(target.url, saved, migrations, quiet, { filesFolder: into });
    writeFileSync(copy, 'changed');
    await expect(restore()).rejects.toThrow(/was changed since/);
    rmSync(copy);
    await expect(restore()).rejects.toThrow(/is missing/);
    expect(readdirSync(into)).toEqual([]);
    writeFileSync(copy, 'of a customer');
    await restore();
    expect(readFileSync(join(into, '2026-11-22', 'one'), 'utf8')).toBe('of a customer');
  } finally {
    for (const path of [from, into, saved]) rmSync(path, { recursive: true });
    await target.drop();
  }
});

test('a folder of files that does not exist yet is an empty one', async () => {
  const saved = mkdtempSync(join(tmpdir(), 'patchbay-files-'));
  try {
    const { files } = await writeBackup(source.url, saved, quiet, { filesFolder: join(saved, 'none') });
    expect(files).toMatchObject({ count: 0, bytes: 0 });
  } finally {
    rmSync(saved, { recursive: true });
  }
});

test('no snapshot outlives its limit: the backup fails, says what to do, and is none', async () => {
  const saved = mkdtempSync(join(tmpdir(), 'patchbay-late-'));
  try {
    const late = writeBackup(source.url, saved, quiet, { maxSnapshotMs: 1 });
    await expect(late).rejects.toThrow(BackupError);
    await expect(late).rejects.toThrow(/pg_basebackup/);
    expect(readdirSync(saved)).not.toContain('backup.json');
  } finally {
    rmSync(saved, { recursive: true });
  }
});
