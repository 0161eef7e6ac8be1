import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
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
import { getConsent, setConsent } from '#lib/messaging/consent/consents.ts';
import { recordSent } from '#lib/messaging/sending/record-sent.ts';
import { eraseCustomer } from '#lib/workflows/erasure/erase-customer.ts';
import { workOffErasures } from '#lib/workflows/erasure/work-off.ts';
import { backup, backupInTurn, restore, writeErasures } from './backup.ts';
import { findPauseMs, rotateBackups } from './backup-rotation.ts';
import { type Output, quiet } from './output.ts';

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

const scheduled = () =>
  run((folder, output) => backupInTurn(folder, output, { keep: 2 }), { url: source.url, dataFolder: home });

test('a backup from before an erasure, restored with --erasures, has nothing of the customer once a worker was at it', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  const number = '4917155501234';
  const file = join(place, 'erasures.json');
  const secrets = createSecretBox(RIGHT);
  const contextOn = (url: string) => {
    const db = openDatabase(url, { maxConnections: 2 });
    return { db, secrets, workspaceId: WORKSPACE, actor: 'test', baseUrl: '' };
  };
  const here = contextOn(source.url);
  await recordSent(here, {
    messageId: 'wamid.1',
    connectionId: WORKSPACE,
    phoneNumberId: '1',
    recipient: number,
    kind: 'text',
    taskRun: null,
  });
  await setConsent(here, { id: number, purpose: 'marketing', state: 'stopped', source: 'api' });
  await takeBackup();
  await eraseCustomer(here, { id: number });
  await workOffErasures(here);
  await here.db.$client.end();

  const written = await run((_, output) => writeErasures(file, output), {
    url: source.url,
    dataFolder: home,
  });
  expect(written.value).toMatchObject({ erasures: 1 });
  expect(readFileSync(file, 'utf8')).not.toContain(number);
  const restored = await run((folder, output) => restore(folder, output, { erasures: file }), {
    url: target.url,
    dataFolder: away,
  });
  expect(restored.value).toMatchObject({ erasures: 1 });
  expect(restored.lines).toContain('Erasures that workers repeat: 1.');

  const there = contextOn(target.url);
  const stored = async (): Promise<string[]> =>
    (
      await there.db.$client.query<{ name: string }>(
        'select recipient as name from sent_messages union select name from customer_names union select name from customer_consents',
      )
    ).rows.map(({ name }) => name);
  expect(await stored()).toEqual([number]);
  await workOffErasures(there);
  expect(await stored()).toEqual(['erased']);
  expect(await getConsent(there, { id: number })).toMatchObject({ kept_stop: { purpose: 'marketing' } });
  await there.db.$client.end();
});

test('a scheduled backup keeps the newest ones, and deletes nothing that it did not make', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  const old = (day: number) => `patchbay-2026-01-0${day}T03-00-00Z`;
  await takeBackup();
  const whole = join(place, `whole-${count}`);
  renameSync(saved, whole);
  for (const day of [1, 2, 3]) cpSync(whole, join(saved, old(day)), { recursive: true });
  cpSync(whole, join(saved, 'before-the-upgrade'), { recursive: true });
  // Named like a backup, and none.
  mkdirSync(join(saved, old(4)));
  writeFileSync(join(saved, old(4), 'notes.txt'), 'mine');
  await scheduled();
  const names = readdirSync(saved).toSorted();
  expect(names).toHaveLength(4);
  expect(names.slice(0, 3)).toEqual(['before-the-upgrade', old(3), old(4)]);
  saved = join(saved, names[3] ?? '');
  await restoreIt();
  expect(await namesOfWorkspaces()).toEqual(['Shop']);
});

test('a scheduled backup that fails deletes none of the earlier ones', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  await scheduled();
  const [first = ''] = readdirSync(saved);
  const failing = (now: Date) =>
    rotateBackups(saved, { keep: 1, now }, (target) => {
      mkdirSync(target);
      return Promise.reject(new Error('The disk is full.'));
    });
  const tomorrow = new Date(Date.now() + 86_400_000);
  await expect(failing(tomorrow)).rejects.toThrow('The disk is full.');
  expect(readdirSync(saved).filter((name) => !name.endsWith('.part'))).toEqual([first]);
  // What was interrupted is removed by a later one.
  const made = (target: string) => Promise.resolve(cpSync(join(saved, first), target, { recursive: true }));
  await rotateBackups(saved, { keep: 1, now: new Date(tomorrow.getTime() + 86_400_000) }, made);
  expect(readdirSync(saved)).toHaveLength(1);
  expect(readdirSync(saved)).not.toContain(first);
});

test('the next backup is due so long after the newest, at once where there is none', () => {
  const now = new Date('2026-11-26T12:00:00Z');
  expect(findPauseMs(saved, 24, now)).toBe(0);
  mkdirSync(join(saved, 'patchbay-2026-11-26T03-00-00Z'), { recursive: true });
  expect(findPauseMs(saved, 24, now)).toBe(0);
  writeFileSync(
    join(saved, 'patchbay-2026-11-26T03-00-00Z', 'backup.json'),
    JSON.stringify({ format: 1, version: '0', madeAt: '', lastMigration: 1, tables: [], sequences: [] }),
  );
  expect(findPauseMs(saved, 24, now)).toBe(15 * 3_600_000);
  expect(findPauseMs(saved, 2, now)).toBe(0);
});

test('a quiet backup prints nothing', async () => {
  writeFileSync(join(home, 'secrets.json'), secretsWith(RIGHT));
  vi.stubEnv('DATABASE_URL', source.url);
  vi.stubEnv('PATCHBAY_DATA_DIR', home);
  const written = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockImplementation(() => true),
  );
  try {
    await backup(saved, quiet);
    expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
  } finally {
    for (const spy of written) spy.mockRestore();
  }
  expect(readdirSync(saved)).toContain('backup.json');
});
