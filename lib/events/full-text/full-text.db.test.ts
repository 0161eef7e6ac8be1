import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { inTransaction, type Pool } from '#lib/core/db/client.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import { cancelRun, retryRun } from '#lib/runs/change-run.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { searchEvents } from '../read-events.ts';
import { createdAtMs, newId } from '#lib/core/ids.ts';
import { buildSegment, type Segment } from './build.ts';
import { forgetEvents } from './forget.ts';
import { indexDue, type IndexOptions } from './index-due.ts';
import { readFullTextStatus, switchFullTextOff, switchFullTextOn } from './switch.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2021, 0, 1);
/** More than a search without an index reads in one request. */
const COUNT = 2600;

let context: TestContext;
let engine: TestEngine;
let workflow: Workflow;
let other: Workflow;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  workflow = await engine.publish(callingGraph());
  other = await engine.publish(callingGraph());
  await context.ctx.db.$client.query(
    `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
    select (lpad(to_hex($3::bigint + n * ${MINUTE_MS}), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
      $1, $2, 'test', 'tested', to_timestamp(($3::bigint + n * ${MINUTE_MS}) / 1000.0), '{"user-agent":"Shop/7"}',
      convert_to('{"order":"A-' || 10000 + n || '","phone":"' || 491705550000 + n || '","note":"Grüße {"}', 'UTF8')
    from generate_series(1, ${COUNT}) n`,
    [context.ctx.workspaceId, workflow.id, START_MS],
  );
});
afterAll(() => context.end());

const pool = () => context.ctx.db.$client;
const search = (input: Partial<Parameters<typeof searchEvents>[1]>) =>
  searchEvents(context.ctx, { limit: 25, hidesNumbers: false, ...input });
const ordersOf = async (input: Parameters<typeof search>[0]) => {
  const page = await search(input);
  return page.data.map(({ received_at }) => (Date.parse(received_at) - START_MS) / MINUTE_MS);
};
/** As the worker does it, without its patience: what has arrived so far is settled once its millisecond is over. */
async function index(options: Partial<IndexOptions> = {}): Promise<void> {
  const newest = createdAtMs(newId());
  await vi.waitUntil(() => Date.now() > newest, { interval: 1 });
  const patience = { settledMs: 0, mergedMs: 0, againMs: 0 };
  const all = { pool: pool(), leastNew: 1, maxDocuments: 400, patience, ...options };
  while (await indexDue(all));
}

describe('while it is on', () => {
  beforeAll(async () => {
    await switchFullTextOn(context.ctx.db);
    await index();
  });

  test.each([
    ['an order number', 'A-10007', [7]],
    ['a part of it, in another case', 'a-1000', [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    ['a part of a number', '705550012', [12]],
    ['several words, one in every event', 'grüße {"}', undefined],
    ['a word with an umlaut in capitals', 'GRÜ', undefined],
    ['a header', 'user-agent: shop/7', undefined],
    ['what no event has', 'A-99999', []],
  ])('%s is found whatever its age, in one request', async (_, text, expected) => {
    const page = await search({ text });
    expect(page.full_text).toBe(true);
    if (expected) expect(await ordersOf({ text })).toEqual(expected);
    else expect(await ordersOf({ text })).toEqual(Array.from({ length: 25 }, (__, place) => COUNT - place));
    expect(page.searched_to).toBeNull();
  });

  test('pages follow each other without a gap and without a repetition, also through a span of time', async () => {
    const seen: number[] = [];
    const span = { fromMs: START_MS + 100 * MINUTE_MS, toMs: START_MS + 1200 * MINUTE_MS };
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await search({ text: 'A-1', limit: 90, cursor, ...span });
      seen.push(...page.data.map(({ received_at }) => (Date.parse(received_at) - START_MS) / MINUTE_MS));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(Array.from({ length: 1100 }, (_, place) => 1199 - place));
  });

  test('a text that is too short for the index is searched as without it, and says so', async () => {
    expect(await search({ text: 'zz' })).toMatchObject({ full_text: false, data: [] });
  });

  test('a masked number is found by its last four digits only, an order number whole', async () => {
    expect(await ordersOf({ text: '491705550012', hidesNumbers: true })).toEqual([]);
    expect(await ordersOf({ text: '55001', hidesNumbers: true })).toEqual([]);
    expect(await ordersOf({ text: '0012', hidesNumbers: true })).toEqual([12]);
    expect(await ordersOf({ text: 'A-10012', hidesNumbers: true })).toEqual([12]);
  });

  test('a workflow and an outcome narrow it down', async () => {
    expect(await ordersOf({ text: 'A-10007', workflow_id: workflow.id })).toEqual([7]);
    const page = await search({ text: 'A-1', workflow_id: other.id });
    expect(page).toMatchObject({ data: [], next_cursor: null });
    expect(await search({ text: 'A-1', outcome: 'rejected' })).toMatchObject({ data: [], next_cursor: null });
  });

  test('nothing of another workspace is found', async () => {
    const page = await searchEvents(context.stranger, { text: 'A-10007', limit: 5, hidesNumbers: false });
    expect(page.data).toEqual([]);
  });

  test('runs are found by their event, also those that were started for it later', async () => {
    const { eventId, runId } = await engine.receive(workflow, '{"note":"quinoa"}');
    const find = async () => {
      const { data } = await searchRuns(context.ctx, { text: 'QUINOA', limit: 5, hidesNumbers: false });
      return data.map(({ id }) => id);
    };
    expect(await find()).toEqual([runId]);
    await index();
    expect(await find()).toEqual([runId]);
    await cancelRun(context.ctx, { id: runId });
    const again = await retryRun(context.ctx, { id: runId, from: 'start' });
    await index();
    expect(await find()).toEqual([again.id, runId]);
    expect((await search({ text: 'quinoa' })).data.map(({ id }) => id)).toEqual([eventId]);
  });

  test('what arrives is found at once, and many small segments become one', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 10; number += 1) {
      const { eventId } = await engine.receive(other, `{"note":"fennel ${number}"}`);
      ids.unshift(eventId);
      if (number < 9) await index();
      expect((await search({ text: 'fennel' })).data.map(({ id }) => id)).toEqual(ids);
    }
    const count = async () => (await pool().query('select from full_text_segments')).rows.length;
    const before = await count();
    await index({ maxDocuments: 12 });
    expect(await count()).toBeLessThan(before);
    expect((await search({ text: 'fennel' })).data.map(({ id }) => id)).toEqual(ids);
  });
});

test('a search during which segments are replaced finds what it would have found', async () => {
  await switchFullTextOn(context.ctx.db);
  await index();
  let reads = 0;
  const replacing = {
    query: async (text: string, values: unknown[]) => {
      // The spans are read then, and the postings are not.
      if (text.includes('full_text_postings') && reads++ === 0)
        await pool().query('truncate full_text_segments, full_text_postings');
      return pool().query(text, values);
    },
  };
  const db = Object.create(context.ctx.db, { $client: { value: replacing } }) as typeof context.ctx.db;
  const page = await searchEvents({ ...context.ctx, db }, { text: 'A-12590', limit: 5, hidesNumbers: false });
  expect(reads).toBe(1);
  expect(page.data).toHaveLength(1);
  await switchFullTextOff(context.ctx.db);
});

describe('a text that is removed', () => {
  let eventId: string;
  beforeEach(async () => {
    await switchFullTextOn(context.ctx.db);
    ({ eventId } = await engine.receive(workflow, '{"note":"chervil"}'));
    await index();
  });
  const remove = () =>
    inTransaction(pool(), async (client) => {
      await client.query(`update events set body = '{}' where id = $1`, [eventId]);
      await forgetEvents(client, context.ctx.workspaceId, [eventId]);
    });
  test('is removed from the index in the same transaction; the rest is found, and indexed again', async () => {
    const { eventId: neighbour } = await engine.receive(workflow, '{"note":"lovage"}');
    await remove();
    const find = async (text: string) => (await search({ text })).data.map(({ id }) => id);
    expect(await find('chervil')).toEqual([]);
    expect(await find('lovage')).toEqual([neighbour]);
    expect(await find('A-10007')).toHaveLength(1);
    await index();
    expect(await find('lovage')).toEqual([neighbour]);
    expect((await readFullTextStatus(context.ctx.db)).waiting).toBe(0);
  });

  test('while its segment is being made is not written afterwards', async () => {
    const { rows: segments } = await pool().query<Segment>(
      `select id, workspace_id, from_ms::float8, to_ms::float8, version from full_text_segments
       where workspace_id = $1 and to_ms > $2 order by from_ms`,
      [context.ctx.workspaceId, createdAtMs(eventId)],
    );
    expect(segments).toHaveLength(1);
    // It connects when it has read everything.
    const removing = {
      query: (text: string, values: unknown[]) => pool().query(text, values),
      connect: async () => {
        await remove();
        return pool().connect();
      },
    } as unknown as Pool;
    expect(await buildSegment(removing, segments)).toBe(false);
    const ids = segments.map(({ id }) => id);
    const left = await pool().query('select from full_text_postings where segment_id = any($1::bigint[])', [
      ids,
    ]);
    expect(left.rows).toEqual([]);
    expect((await search({ text: 'chervil' })).data).toEqual([]);
  });
});

test('off, everything is removed, and searches read events as before', async () => {
  await switchFullTextOn(context.ctx.db);
  await index();
  expect(await readFullTextStatus(context.ctx.db)).toMatchObject({ is_on: true, waiting: 0 });
  await switchFullTextOff(context.ctx.db);
  expect(await readFullTextStatus(context.ctx.db)).toMatchObject({ is_on: false, indexed: 0, waiting: 0 });
  expect(await indexDue({ pool: pool() })).toBe(false);
  expect(await search({ text: 'A-10007' })).toMatchObject({ full_text: false, data: [] });
});
