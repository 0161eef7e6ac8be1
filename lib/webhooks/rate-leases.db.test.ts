import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { createRateLeases, type RateLeases } from './rate-leases.ts';

const DEFAULT_RATE = 7;

let database: TestDatabase;
let pools: Pool[];
let one: RateLeases;
let two: RateLeases;
let workspaceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  pools = ['one', 'two'].map((name) => openHotPool(database.url, { maxConnections: 2, name }));
  [one, two] = pools.map((pool) => createRateLeases(pool, DEFAULT_RATE)) as [RateLeases, RateLeases];
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});
beforeEach(async () => {
  workspaceId = await insertWorkspace(100);
});

const run = (text: string, values: unknown[]) => (pools[0] as Pool).query(text, values);

async function insertWorkspace(rate: number | null): Promise<string> {
  const id = newId();
  await run(`insert into workspaces (id, name, webhook_rate_per_second) values ($1, 'Test', $2)`, [id, rate]);
  return id;
}

/** Moves the bucket into the past by this time. */
const waitSeconds = (seconds: number) =>
  run(
    `update webhook_rate_buckets set refilled_at = refilled_at - make_interval(secs => $2) where workspace_id = $1`,
    [workspaceId, seconds],
  );

test('a bucket grants what a second allows, then what was refilled since', async () => {
  expect(await one.lease({ workspaceId, wanted: 60 })).toEqual({
    ratePerSecond: 100,
    granted: 60,
    available: 40,
  });
  const rest = await two.lease({ workspaceId, wanted: 60 });
  expect(rest.granted).toBeGreaterThanOrEqual(40);
  await waitSeconds(0.2);
  const refilled = (await one.lease({ workspaceId, wanted: 1000 })).granted;
  expect(refilled).toBeGreaterThanOrEqual(20);
  await waitSeconds(3600);
  expect((await two.lease({ workspaceId, wanted: 1000 })).granted).toBe(100);
});

test('processes that lease at once never get more than there is, whatever the order', async () => {
  const both = [workspaceId, await insertWorkspace(100)];
  const started = performance.now();
  const leaseOften = async (leases: RateLeases, ids: string[]): Promise<number> => {
    let granted = 0;
    for (let n = 0; n < 100; n += 1)
      for (const lease of await Promise.all(ids.map((id) => leases.lease({ workspaceId: id, wanted: 3 }))))
        granted += lease.granted;
    return granted;
  };
  const [first, second] = await Promise.all([leaseOften(one, both), leaseOften(two, both.toReversed())]);
  const seconds = (performance.now() - started) / 1000;
  expect(first + second).toBeLessThanOrEqual(2 * 100 * (1 + seconds));
  expect(first + second).toBeGreaterThanOrEqual(2 * 99);
});

test('a changed setting holds for the next lease', async () => {
  await one.lease({ workspaceId, wanted: 1 });
  await run('update workspaces set webhook_rate_per_second = 5 where id = $1', [workspaceId]);
  expect(await one.lease({ workspaceId, wanted: 100 })).toMatchObject({ ratePerSecond: 5, granted: 5 });
  await run('update workspaces set webhook_rate_per_second = null where id = $1', [workspaceId]);
  expect(await one.lease({ workspaceId, wanted: 1 })).toMatchObject({ ratePerSecond: DEFAULT_RATE });
  expect(await one.readRates([workspaceId])).toEqual(new Map([[workspaceId, DEFAULT_RATE]]));
});

test('a workspace without a limit has no bucket', async () => {
  const unlimited = createRateLeases(pools[0] as Pool, 0);
  const id = await insertWorkspace(null);
  expect(await unlimited.lease({ workspaceId: id, wanted: 9 })).toMatchObject({ ratePerSecond: 0 });
  expect((await run('select from webhook_rate_buckets where workspace_id = $1', [id])).rowCount).toBe(0);
  expect(await unlimited.readRates([id])).toEqual(new Map([[id, 0]]));
});
