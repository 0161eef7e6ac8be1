import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lowestIdAt } from '#lib/core/ids.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import type { Workflow } from '#lib/workflows/schema.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { searchEvents } from './read-events.ts';

let context: TestContext;
let workflow: Workflow;
let engine: TestEngine;
beforeAll(async () => {
  context = await createTestContext();
  engine = new TestEngine(context.ctx);
  workflow = await engine.publish(callingGraph());
});
afterAll(() => context.end());

const search = (input: Partial<Parameters<typeof searchEvents>[1]>) =>
  searchEvents(context.ctx, { limit: 25, hidesNumbers: false, ...input });
const idsOf = async (input: Parameters<typeof search>[0]) => (await search(input)).data.map(({ id }) => id);

describe('a text is found', () => {
  test('in bodies of any bytes, also of events that were rejected', async () => {
    const bytes = Buffer.concat([Buffer.from([0, 0xff, 0xc3]), Buffer.from('Fenchel {'), Buffer.from([0])]);
    const { eventId } = await engine.receive(workflow, bytes, { refusal: 'It is not UTF-8.' });
    const { eventId: escaped } = await engine.receive(workflow, '{"note":"F\\u0045NCHEL \\u0000"}');
    const { eventId: raw } = await engine.receive(workflow, '{"note":"fenchel\\u0000"}');
    expect(await idsOf({ text: 'fenchel' })).toEqual([raw, eventId]);
    expect(await idsOf({ text: 'fenchel', outcome: 'rejected' })).toEqual([eventId]);
    expect(await idsOf({ text: 'fenchel', outcome: 'triggered' })).toEqual([raw]);
    expect(await idsOf({ text: 'nchel \\u0000' })).toEqual([escaped]);
  });

  test('in headers, but never in a value that is masked where it is shown', async () => {
    const { eventId } = await engine.receive(workflow, '{}', {
      headers: { 'user-agent': 'Shop/2.1', authorization: 'Bearer kohlrabi' },
    });
    expect(await idsOf({ text: 'user-agent: shop/' })).toEqual([eventId]);
    expect(await idsOf({ text: 'kohlrabi' })).toEqual([]);
  });

  test('that could be a pattern or holds what no text column keeps', async () => {
    const { eventId } = await engine.receive(workflow, '{"note":"***:a+b(c"}');
    expect(await idsOf({ text: '***:A+B(c' })).toEqual([eventId]);
    expect(await idsOf({ text: 'a\0b' })).toEqual([]);
  });

  test('that is the id of an event or of its run', async () => {
    const { eventId, runId } = await engine.receive(workflow, '{}');
    expect(await idsOf({ text: runId })).toEqual([eventId]);
    expect(await idsOf({ text: eventId.toUpperCase() })).toEqual([eventId]);
    expect(await idsOf({ text: eventId, outcome: 'rejected' })).toEqual([]);
    const { data } = await searchRuns(context.ctx, { text: eventId, limit: 1, hidesNumbers: false });
    expect(data.map(({ id }) => id)).toEqual([runId]);
  });
});

test('of a masked number its last four digits are found, and nothing of the rest', async () => {
  const bodies = [
    '{"from":"491705556677"}',
    '{"from":491705556677}',
    '{"from":"\\u00349170555667\\u0037"}',
    '{"from":"é491705556677"}',
    '{"from":"+491705556677."}',
  ];
  for (const body of bodies) await engine.receive(workflow, body);
  const find = (text: string) => idsOf({ text, hidesNumbers: true });
  for (const part of ['4917', '70555', '1705556677', '55667', '+49'])
    expect(await find(part), part).toEqual([]);
  expect(await find('6677')).toHaveLength(bodies.length);
  expect(await find('"from": "••••6677')).toHaveLength(3);
  const { eventId } = await engine.receive(workflow, '{"order":"12345678"}');
  expect(await find('12345678')).toEqual([eventId]);
});

test('nothing of another workspace is found, neither by a text nor by an id', async () => {
  const theirEngine = new TestEngine(context.stranger);
  const theirs = await theirEngine.publish(callingGraph());
  const { eventId, runId } = await theirEngine.receive(theirs, '{"note":"topinambur"}');
  const asThem = await searchEvents(context.stranger, { text: 'topinambur', limit: 5, hidesNumbers: false });
  expect(asThem.data.map(({ id }) => id)).toEqual([eventId]);
  for (const text of ['topinambur', eventId, runId]) {
    expect(await idsOf({ text })).toEqual([]);
    expect(await idsOf({ text, workflow_id: theirs.id })).toEqual([]);
    expect((await searchRuns(context.ctx, { text, limit: 5, hidesNumbers: false })).data).toEqual([]);
  }
});

describe('a request reads so much and says how far it came', () => {
  const MINUTE_MS = 60_000;
  const start = Date.UTC(2020, 0, 1);
  let many: Workflow;
  beforeAll(async () => {
    many = await engine.publish(callingGraph());
    await insert({ count: 1003, bodyOf: `'{"number":' || n || '}'` });
  });

  /** One event a minute. */
  const insert = ({ count, bodyOf }: { count: number; bodyOf: string }) =>
    context.ctx.db.$client.query(
      `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
      select (lpad(to_hex($3::bigint + n * ${MINUTE_MS}), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid,
        $1, $2, 'test', 'tested', to_timestamp(($3::bigint + n * ${MINUTE_MS}) / 1000.0), '{}', convert_to(${bodyOf}, 'UTF8')
      from generate_series(1, ${count}) n`,
      [context.ctx.workspaceId, many.id, start],
    );

  test('1,000 rows at a time, and continues right there', async () => {
    const first = await search({ text: '"number": 2}', workflow_id: many.id });
    expect(first.data).toEqual([]);
    expect(first.searched_to).toBe(new Date(start + 4 * MINUTE_MS).toISOString());
    const second = await search({
      text: '"number": 2}',
      workflow_id: many.id,
      cursor: first.next_cursor ?? '',
    });
    expect(second.data.map(({ received_at }) => received_at)).toEqual([
      new Date(start + 2 * MINUTE_MS).toISOString(),
    ]);
    expect(second).toMatchObject({ next_cursor: null, searched_to: null });
  });

  test('a page that is full says nothing of it', async () => {
    const page = await search({ text: 'number', workflow_id: many.id, limit: 2 });
    expect(page.data).toHaveLength(2);
    expect(page.searched_to).toBeNull();
    expect(page.next_cursor).not.toBeNull();
  });

  test('a state that no index holds is looked for within the same bounds', async () => {
    const page = await searchRuns(context.ctx, { status: 'queued', limit: 100, hidesNumbers: false });
    expect(page.data.length).toBeGreaterThan(0);
    expect(page.searched_to).toBeNull();
  });

  test('large bodies bound it too: at least one is read', async () => {
    await insertLarge(3);
    let requests = 0;
    for (let cursor: string | null | undefined; cursor !== null; requests += 1)
      cursor = (await search({ text: 'nowhere', toMs: start - MINUTE_MS, cursor })).next_cursor;
    expect(requests).toBe(3);
  });

  const insertLarge = (count: number) =>
    context.ctx.db.$client.query(
      `insert into events (id, workspace_id, workflow_id, kind, outcome, received_at, headers, body)
      select (left($3, 35) || n)::uuid, $1, $2, 'test', 'tested', now(), '{}', convert_to(repeat('large ', 1500000), 'UTF8')
      from generate_series(1, ${count}) n`,
      [context.ctx.workspaceId, many.id, lowestIdAt(start - 60 * MINUTE_MS)],
    );
});
