// A database that vanishes without closing its connections, for example because it lost its network.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type FaultProxy, startFaultProxy } from '#lib/testing/fault-proxy.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { openHotPool, type Pool } from './client.ts';
import { isDatabaseUnavailable } from './database-unavailable.ts';

let database: TestDatabase;
let proxy: FaultProxy;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  proxy = await startFaultProxy({ host: hostname, port: Number(port) });
  pool = openHotPool(proxy.through(database.url), {
    maxConnections: 3,
    name: 'vanished',
    answerTimeoutMs: 1000,
  });
});
afterAll(async () => {
  await pool.end();
  await proxy.close();
  await database.drop();
});

const WAIT = { timeout: 10_000, interval: 50 };

const one = async (): Promise<unknown> => (await pool.query<{ one: number }>('select 1 as one')).rows[0]?.one;

test('is waited for no longer than answers may take, and is reached again by a new connection', async () => {
  expect(await one()).toBe(1);
  proxy.set('vanish');
  expect(await one().catch(isDatabaseUnavailable)).toBe(true);
  expect(await one()).toBe(1);
});

test('is waited for once, however many connections were idle', async () => {
  await Promise.all([one(), one(), one()]);
  expect(pool.idleCount).toBe(3);
  proxy.set('vanish');
  expect(await one().catch(isDatabaseUnavailable)).toBe(true);
  expect(await one()).toBe(1);
});

test('that cannot be connected to is given up too', async () => {
  proxy.set('blackhole');
  expect(await one().catch(isDatabaseUnavailable)).toBe(true);
  expect(await one().catch(isDatabaseUnavailable)).toBe(true);
  proxy.set('pass');
  expect(await one()).toBe(1);
});

test('does not keep the locks of a transaction whose process went silent', async () => {
  await pool.query('create table held (id int primary key, value int)');
  await pool.query('insert into held values (1, 0)');
  const silent = await pool.connect();
  await silent.query('begin');
  await silent.query('update held set value = 1');
  proxy.set('vanish');
  await vi.waitFor(async () => {
    await pool.query('update held set value = 2 where id = 1');
  }, WAIT);
  expect((await pool.query('select value from held')).rows).toEqual([{ value: 2 }]);
  expect(await silent.query('commit').catch(isDatabaseUnavailable)).toBe(true);
  silent.release(true);
});
