import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { BackupError } from '#lib/core/db/backup/manifest.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { backup, restore } from './backup.ts';
import type { Output } from './output.ts';

const key = (fill: number): string => `k1:${Buffer.alloc(32, fill).toString('base64')}`;
const [RIGHT, WRONG] = [key(1), key(2)];
const WORKSPACE = '0198c0de-0000-7000-8000-000000000001';
const place = mkdtempSync(join(tmpdir(), 'patchbay-cli-backup-'));
/** Patchbay's secrets, with these keys. */
const secretsWith = (keys: string): string =>
  JSON.stringify({
    AUTH_SECRET: 'a'.repeat(43),
    ENCRYPTION_KEYS: keys,
    SANDBOX_CLIENT_SECRET: 'b'.repeat(43),
  });

let source: TestDatabase;
let target: TestDatabase;
/** New folders of each test. */
let home: string;
let away: string;
let saved: string;
let count = 0;

beforeAll(async () => {
  source = await createTestDatabase();
  const db = openDatabase(source.url, { maxConnections: 1 });
  await db.$client.query(`insert into workspaces (id, name) values ($1, 'Shop')`, [WORKSPACE]);
  await db.$client.query(
    `insert into named_secrets (workspace_id, name, value_encrypted, set_by) values ($1, 'shop_key', $2, 'somebody')`,
    [WORKSPACE, createSecretBox(RIGHT).seal('a value', [WORKSPACE, 'named_secret', 'shop_key'])],
  );
  await db.$client.end();
});
afterAll(async () => {
  await source.drop();
  rmSync(place, { recursive: true, force: true });
});
beforeEach(async () => {
  target = await createEmptyDatabase();
  count += 1;
  [home, away, saved] = ['home', 'away', 'saved'].map((name) => join(place, `${name}-${count}`)) as [
    string,
    string,
    string,
  ];
  mkdirSync(home);
  for (const name of ['BASE_URL', 'AUTH_SECRET', 'ENCRYPTION_KEYS', 'MEDIA_FOLDER']) vi.stubEnv(name, '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await target.drop();
});

/** The output of a command. */
async function run(
  command: (folder: string, output: Output) => Promise<void>,
  { url, dataFolder }: { url: string; dataFolder: string },
): Promise<{ value: Record<string, unknown>; lines: string }> {
  vi.stubEnv('DATABASE_URL', url);
  vi.stubEnv('PATCHBAY_DATA_DIR', dataFolder);
  let given: { value: Record<string, unknown>; lines: string } | undefined;
  await command(saved, {
    say: () => undefined,
    line: () => true,
    give: (value, lines) => (given = { value: value as Record<string, unknown>, lines: lines.join('\n') }),
  });
  if (!given) throw new Error('The command gave no result.');
  return given;
}
const takeBackup = () => run(backup, { url: source.url, dataFolder: home });
const restoreIt = () => run(restore, { url: target.url, dataFolder: away });

async function namesOfWorkspaces(): Promise<string[] | null> {
  const db = openDatabase(target.url, { maxConnections: 1 });
  try {
    const { rows } = await db.$client.query<{ there: boolean }>(
      `select to_regclass('workspaces') is not null as there`,
    );
    if (!rows[0]?.there) return null;
    return (await db.$client.query<{ name: string }>('select name from workspaces')).rows.map(
      ({ name }) => name,
    );
  } finally {
    await db.$client.end();
  }
}

test('a backup is refused with keys that do not open the database, and nothing is written', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(WRONG));
  await expect(takeBackup()).rejects.toThrow(/do not open .*named_secrets/);
  await expect(takeBackup()).rejects.toBeInstanceOf(BackupError);
  expect(existsSync(saved) ? readdirSync(saved) : []).toEqual([]);
});

test('a backup says that it holds the keys only where its secrets.json opens the database', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(WRONG));
  vi.stubEnv('ENCRYPTION_KEYS', RIGHT);
  const { value, lines } = await takeBackup();
  expect(value).toMatchObject({ secrets: false });
  expect(lines).toContain('ENCRYPTION_KEYS is not in it: keep it');
  expect(lines).not.toContain('It holds the keys');
});

test('a backup is restored with its keys, into a data folder that is not there yet', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  expect((await takeBackup()).value).toMatchObject({ secrets: true });
  await restoreIt();
  expect(JSON.parse(readFileSync(join(away, 'secrets.json'), 'utf8'))).toEqual(
    JSON.parse(secretsWith(RIGHT)),
  );
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('the same secrets.json may be there already; another one is refused before anything is written', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  await takeBackup();
  mkdirSync(away);
  writeFileSync(join(away, 'secrets.json'), secretsWith(WRONG));
  await expect(restoreIt()).rejects.toThrow(/keys of another installation/);
  expect(await namesOfWorkspaces()).toBeNull();
  writeFileSync(join(away, 'secrets.json'), JSON.stringify(JSON.parse(secretsWith(RIGHT)), null, 2));
  await restoreIt();
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('where secrets.json cannot be written, no row is; then the restore is repeated', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  await takeBackup();
  mkdirSync(join(away, 'secrets.json.new'), { recursive: true });
  await expect(restoreIt()).rejects.toThrow();
  expect(await namesOfWorkspaces()).toBeNull();
  rmSync(join(away, 'secrets.json.new'), { recursive: true });
  await restoreIt();
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('keys of settings are proven before anything is restored', async () => {
  vi.stubEnv('ENCRYPTION_KEYS', RIGHT);
  await takeBackup();
  vi.stubEnv('ENCRYPTION_KEYS', '');
  await expect(restoreIt()).rejects.toThrow(/Set ENCRYPTION_KEYS/);
  vi.stubEnv('ENCRYPTION_KEYS', WRONG);
  await expect(restoreIt()).rejects.toThrow(/do not open .*named_secrets/);
  expect(await namesOfWorkspaces()).toBeNull();
  vi.stubEnv('ENCRYPTION_KEYS', RIGHT);
  await restoreIt();
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('of a backup that has no proof, as earlier versions made it, the rows themselves are the proof', async () => {
  vi.stubEnv('ENCRYPTION_KEYS', RIGHT);
  await takeBackup();
  const manifest = join(saved, 'backup.json');
  const { sealed: _, ...earlier } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
  chmodSync(manifest, 0o600);
  writeFileSync(manifest, JSON.stringify(earlier));
  vi.stubEnv('ENCRYPTION_KEYS', WRONG);
  await expect(restoreIt()).rejects.toThrow(/do not open .*named_secrets/);
  expect(await namesOfWorkspaces()).toEqual([]);
  vi.stubEnv('ENCRYPTION_KEYS', RIGHT);
  await restoreIt();
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('whoever has lost a key for good can still save and restore the rest', async () => {
  vi.stubEnv('ENCRYPTION_KEYS', WRONG);
  const skipKeyCheck = true;
  const { value } = await run((folder, output) => backup(folder, output, { skipKeyCheck }), {
    url: source.url,
    dataFolder: home,
  });
  expect(value).toMatchObject({ secrets: false });
  await run((folder, output) => restore(folder, output, { skipKeyCheck }), {
    url: target.url,
    dataFolder: away,
  });
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});
