import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#lib/core/db/client.ts';
import { authenticateApiKey } from '#lib/identity/api-keys/authenticate-api-key.ts';
import { createTestDatabase } from '#lib/testing/test-database.ts';
import { createKey } from './api-keys.ts';

afterEach(() => vi.unstubAllEnvs());

test('a key is created, recorded with it as done by the command line, and printed once', async () => {
  const database = await createTestDatabase();
  const db = openDatabase(database.url, { maxConnections: 1 });
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('BASE_URL', '');
  vi.stubEnv('PATCHBAY_DATA_DIR', join(tmpdir(), 'patchbay-no-such-folder'));
  let printed: readonly string[] = [];
  const output = {
    say: () => undefined,
    line: () => true,
    give: (_: unknown, lines: readonly string[]) => void (printed = lines),
  };
  const recorded = async (): Promise<unknown[]> =>
    (await db.$client.query<object>('select actor_name, action, target_name from audit_entries')).rows;
  try {
    await createKey({ name: 'Deployments', scope: 'read' }, output);
    const key = /^API key: (pb_\S+)$/m.exec(printed.join('\n'))?.[1] ?? '';
    expect(await authenticateApiKey(db, key, undefined)).toMatchObject({ scope: 'read', expiresAt: null });
    const entry = { actor_name: 'Command line', action: 'api_key.created', target_name: 'Deployments' };
    expect(await recorded()).toEqual([entry]);
    await expect(
      createKey({ name: 'Late', expires_at: '2020-01-01T00:00:00Z' }, output),
    ).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await recorded()).toEqual([entry]);
    expect((await db.$client.query('select from api_keys')).rows).toHaveLength(1);
  } finally {
    await db.$client.end();
    await database.drop();
  }
});
