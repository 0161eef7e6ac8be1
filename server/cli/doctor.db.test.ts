import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import { openDatabase } from '#lib/core/db/client.ts';
import { convertBack } from '#lib/core/db/partitions/convert-back.ts';
import { convertToPartitions } from '#lib/core/db/partitions/convert.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { diagnose } from './doctor.ts';

const folder = mkdtempSync(join(tmpdir(), 'patchbay-doctor-'));
afterEach(() => vi.unstubAllEnvs());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Finding {
  about: string;
  state: string;
  text: string;
}

/** @returns its findings about a database, by topic */
async function examine({ url }: TestDatabase, keys = ''): Promise<Map<string, Finding>> {
  for (const [name, value] of Object.entries({
    DATABASE_URL: url,
    BASE_URL: '',
    PATCHBAY_DATA_DIR: folder,
    ENCRYPTION_KEYS: keys,
  }))
    vi.stubEnv(name, value);
  let findings: Finding[] = [];
  await diagnose({
    say: () => undefined,
    line: () => true,
    give: (value) => (findings = value as Finding[]),
  });
  return new Map(findings.map((finding) => [finding.about, finding]));
}

test('a database without tables is a finding, after which nothing else is asked of it', async () => {
  const database = await createEmptyDatabase();
  try {
    const found = await examine(database);
    expect([...found.keys()]).toEqual(['Settings', 'Disk', 'PostgreSQL', 'Database connections', 'Tables']);
    expect(found.get('Tables')).toMatchObject({
      state: 'problem',
      text: 'there are none: run `patchbay migrate`, or `npm start`.',
    });
  } finally {
    await database.drop();
  }
});

test('keys that do not open something that is stored are a problem, and so is it to have none', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 1 });
  const [key, other] = [1, 2].map((fill) => `k1:${Buffer.alloc(32, fill).toString('base64')}`) as [
    string,
    string,
  ];
  try {
    expect((await examine(database)).get('Encryption keys')).toMatchObject({ state: 'ok' });
    const userId = '0198c0de-0000-7000-8000-000000000001';
    await db.$client.query(`insert into users (id, email) values ($1, 'owner@example.com')`, [userId]);
    await db.$client.query(`insert into two_factor (user_id, secret_encrypted) values ($1, $2)`, [
      userId,
      createSecretBox(key).seal('a key', ['installation', 'two_factor', userId]),
    ]);
    const stateWith = async (keys?: string) => (await examine(database, keys)).get('Encryption keys');
    expect(await stateWith(key)).toMatchObject({ state: 'ok' });
    expect(await stateWith(other)).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('do not open two_factor.secret_encrypted') as string,
    });
    expect(await stateWith()).toMatchObject({
      state: 'problem',
      text: expect.stringContaining('There are no encryption keys here') as string,
    });
  } finally {
    await db.$client.end();
    await database.drop();
  }
});

test('a conversion to partitions that was not ended is a warning, and so are months that are missing', async () => {
  const database = await createTestDatabase();
  try {
    await convertBack(database.url);
    expect((await examine(database)).get('Partitions')).toBeUndefined();
    await expect(
      convertToPartitions(database.url, { at: () => Promise.reject(new Error('killed')) }),
    ).rejects.toThrow('killed');
    expect((await examine(database)).get('Partitions')).toMatchObject({
      state: 'warning',
      text: 'a conversion was begun and not ended: run `patchbay partition` again.',
    });
    await convertToPartitions(database.url);
    expect((await examine(database)).get('Partitions')).toMatchObject({ state: 'ok' });
    vi.setSystemTime(Date.now() + 200 * 86_400_000);
    expect((await examine(database)).get('Partitions')).toMatchObject({
      state: 'warning',
      text: expect.stringContaining('those of the next months are missing') as string,
    });
  } finally {
    vi.useRealTimers();
    await database.drop();
  }
});
