import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/core/ids.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { readsOfWork } from '#lib/testing/explain.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { createWorkflow } from './create-workflow.ts';
import { listSilences } from './silences.ts';
import { pauseWorkflow } from './lifecycle.ts';

const HOUR = 3_600_000;
const NOW = new Date('2026-05-08T18:00:00Z');

let world: TestContext;
let ctx: ActorContext;

beforeAll(async () => {
  world = await createTestContext();
  ({ ctx } = world);
});

afterAll(() => world.end());

async function publish(): Promise<string> {
  const trigger = { id: 1, type: 'inbound_webhook', settings: {} };
  return (await createWorkflow(ctx, { name: 'W', tasks: [trigger], edges: [], publish: true })).id;
}

interface Arrivals {
  /** The newest this long before `NOW`. */
  lastMs: number;
  stepMs: number;
  count: number;
  kind?: 'production' | 'test';
}

/** Events with ids of their instants, as the intake makes them. */
const receive = (workflowId: string, { lastMs, stepMs, count, kind = 'production' }: Arrivals) =>
  ctx.db.$client.query(
    `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
     select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || substr(md5(at::text || $3), 1, 3)
       || '8' || substr(md5($3 || at::text), 1, 15))::uuid, $1, $2, $4, 'triggered', at, '{}', '{}'
     from generate_series(0, $5::int - 1) n
     cross join lateral (select $6::timestamptz - ($7::text || ' ms')::interval - n * ($8::text || ' ms')::interval as at) i`,
    [ctx.workspaceId, workflowId, newId(), kind, count, NOW, lastMs, stepMs],
  );

const silences = async () => listSilences(ctx, { now: NOW });

test('a workflow that got an event every ten minutes and then none for three days; tests do not hide it', async () => {
  const id = await publish();
  await receive(id, { lastMs: 72 * HOUR, stepMs: 600_000, count: 3000 });
  await receive(id, { lastMs: 2 * HOUR, stepMs: 600_000, count: 3, kind: 'test' });
  expect((await silences()).get(id)).toEqual({
    sinceAt: '2026-05-05T18:00:00.000Z',
    silentSeconds: 72 * 3600,
    usualSeconds: 600,
  });
  expect((await listSilences(ctx, { ids: [id], now: NOW })).has(id)).toBe(true);
  expect(await listSilences({ ...ctx, workspaceId: newId() }, { ids: [id], now: NOW })).toEqual(new Map());
});

test('long pauses that are usual are found although only instants between events are looked at', async () => {
  const id = await publish();
  for (let day = 1; day <= 14; day += 1)
    await receive(id, { lastMs: day * 24 * HOUR - 8 * HOUR, stepMs: 60_000, count: 480 });
  expect((await silences()).has(id)).toBe(false);
  expect((await listSilences(ctx, { ids: [id], now: new Date(NOW.getTime() + 14 * HOUR) })).has(id)).toBe(
    true,
  );
});

test('paused ones, and those that nobody has called for a month, are not spoken of', async () => {
  const paused = await publish();
  const forgotten = await publish();
  await receive(paused, { lastMs: 72 * HOUR, stepMs: 600_000, count: 100 });
  await receive(forgotten, { lastMs: 31 * 24 * HOUR, stepMs: 600_000, count: 100 });
  await pauseWorkflow(ctx, { id: paused });
  const found = await silences();
  expect(found.has(paused)).toBe(false);
  expect(found.has(forgotten)).toBe(false);
});

test('reads few of 100,000 events: the list stays quick', async () => {
  const id = await publish();
  await receive(id, { lastMs: 3 * HOUR, stepMs: 12_000, count: 100_000 });
  await ctx.db.$client.query('analyze events');
  const before = await rowsRead();
  expect((await silences()).has(id)).toBe(true);
  expect((await rowsRead()) - before).toBeLessThan(20_000);
});

async function rowsRead(): Promise<number> {
  await ctx.db.$client.query('select pg_stat_force_next_flush()');
  const { rows } = await ctx.db.$client.query<{ read: string }>(
    `select seq_tup_read + idx_tup_fetch as read from pg_stat_user_tables where relname = 'events'`,
  );
  return Number(rows[0]?.read);
}

test('only the workflows that are asked about are looked at', async () => {
  const ids = [await publish(), await publish(), await publish(), await publish()];
  for (const id of ids) await receive(id, { lastMs: 72 * HOUR, stepMs: 600_000, count: 2000 });
  const { $client: pool } = ctx.db;
  const one = await readsOfWork(pool, () => listSilences(ctx, { ids: ids.slice(0, 1), now: NOW }));
  const all = await readsOfWork(pool, () => listSilences(ctx, { ids, now: NOW }));
  expect(one.buffers).toBeLessThan(all.buffers / 2);
});
