import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { openDatabase, openHotPool, type Pool } from './client.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const POOLS: Record<string, (url: string) => Pool> = {
  ordinary: (url) => openDatabase(url, { maxConnections: 2, name: 'test' }).$client,
  hot: (url) => openHotPool(url, { maxConnections: 2, name: 'test' }),
};

test.each(Object.entries(POOLS))('every connection of the %s pool plans by index', async (_, open) => {
  const pool = open(database.url);
  const settings = await Promise.all(
    [1, 2].map(
      async () =>
        (await pool.query(`select current_setting('enable_seqscan') as scan, current_setting('jit') as jit`))
          .rows[0] as unknown,
    ),
  );
  await pool.end();
  expect(settings).toEqual([
    { scan: 'off', jit: 'off' },
    { scan: 'off', jit: 'off' },
  ]);
});

test.each(Object.entries(POOLS))(
  'the %s pool connects without start options, which PgBouncer refuses',
  async (_, open) => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const pool = open(`postgres://someone@127.0.0.1:${port}/any`);
    const asked = pool.query('select 1').catch(() => undefined);
    const [socket] = (await once(server, 'connection')) as [NodeJS.ReadableStream & { destroy(): void }];
    const [startup] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    await asked;
    await pool.end();
    server.close();
    expect(startup.toString('latin1')).toContain('application_name\0test\0');
    expect(startup.toString('latin1')).not.toContain('options\0');
  },
);

test('a connection of the hot pool, and with it the plans of its statements, is replaced after its lifetime', async () => {
  const pool = openHotPool(database.url, { maxConnections: 1, name: 'test', lifetimeSeconds: 1 });
  const pid = async (): Promise<unknown> =>
    (await pool.query<{ pid: number }>({ name: 'pid', text: 'select pg_backend_pid() as pid' })).rows[0]?.pid;
  const first = await pid();
  await vi.waitFor(async () => expect(await pid()).not.toBe(first), { timeout: 10_000, interval: 20 });
  await pool.end();
});
