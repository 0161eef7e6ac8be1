import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
import { replayEvent } from '#lib/events/replay-event.ts';
import { cancelRun, retryRun } from '#lib/runs/change-run.ts';
import { createTestContext, type TestContext } from '#lib/identity/testing/test-context.ts';
import { readRuns, runFilterSchema } from '#lib/screens/read-runs.ts';
import { eventFilterSchema, readEvents } from '#lib/screens/read-events.ts';

let context: TestContext;
const received: { eventId: string; runId: string | null }[] = [];
beforeAll(async () => {
  context = await createTestContext();
  const engine = new TestEngine(context.ctx);
  const workflow = await engine.publish(callingGraph());
  for (let number = 0; number < 12; number += 1) {
    const note = number % 4 === 0 ? 'A "Needle" in hay' : 'hay';
    const phone = `49170555${String(1000 + number)}`;
    received.push(await engine.receive(workflow, JSON.stringify({ number, note, phone })));
  }
});
afterAll(() => context.end());

const as = (role: 'editor' | 'viewer') => ({ ...context.ctx, role, masksNumbers: true });
const events = (filter: Record<string, unknown>, role: 'editor' | 'viewer' = 'editor') =>
  readEvents(as(role), eventFilterSchema.parse(filter));
const runs = (filter: Record<string, unknown>, role: 'editor' | 'viewer' = 'editor') =>
  readRuns(as(role), runFilterSchema.parse(filter));

/** The ids of the received events at these places, the newest first. */
const eventIds = (...places: number[]) => places.map((place) => received[place]?.eventId);

describe('events', () => {
  test('are found by a text in their body, whatever its case and its quotes, the newest first', async () => {
    const { data, next_cursor: cursor } = await events({ text: 'a "needle"' });
    expect(data.map(({ id }) => id)).toEqual(eventIds(8, 4, 0));
    expect(cursor).toBeNull();
  });

  test('a full page continues right after its last row', async () => {
    const first = await events({ text: 'needle', limit: 2 });
    expect(first.data.map(({ id }) => id)).toEqual(eventIds(8, 4));
    const second = await events({ text: 'needle', limit: 2, cursor: first.next_cursor });
    expect(second.data.map(({ id }) => id)).toEqual(eventIds(0));
    expect(second.next_cursor).toBeNull();
  });

  test('without a text every page holds what comes next, none twice', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await events({ limit: 5, cursor });
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(eventIds(11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  });

  test('are bounded by time on both sides', async () => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    for (const text of [undefined, 'hay']) {
      expect((await events({ text, since: '1h' })).data).toHaveLength(12);
      expect((await events({ text, from: hourAgo, to: inAnHour })).data).toHaveLength(12);
      expect((await events({ text, from: inAnHour })).data).toHaveLength(0);
      expect((await events({ text, to: hourAgo })).data).toHaveLength(0);
    }
  });

  test('an address with nonsense in it filters by nothing', async () => {
    expect(
      (await events({ outcome: 'lost', workflow: 'x', since: '3 weeks', limit: 'many' })).data,
    ).toHaveLength(12);
  });
});

test('runs are found by the text of their event, and by its id', async () => {
  const { data } = await runs({ text: 'needle' });
  expect(data.map(({ id }) => id)).toEqual([8, 4, 0].map((place) => received[place]?.runId));
  const byEvent = await runs({ text: received[3]?.eventId });
  expect(byEvent.data.map(({ id }) => id)).toEqual([received[3]?.runId]);
});

test('where numbers are masked viewers find by the four digits that they see, editors by all of them', async () => {
  for (const search of [events, runs]) {
    expect((await search({ text: '491705551003' })).data).toHaveLength(1);
    expect((await search({ text: '491705551003' }, 'viewer')).data).toHaveLength(0);
    expect((await search({ text: '9170555' }, 'viewer')).data).toHaveLength(0);
    expect((await search({ text: '••••1003' }, 'viewer')).data).toHaveLength(1);
    expect((await search({ text: 'needle' }, 'viewer')).data).toHaveLength(3);
  }
});

describe('the key of an event', () => {
  // Its text is not in the body: only the key finds it.
  const KEYED = callingGraph({ search_by: '{{order}}/{{shop}}' });
  const found: { eventId: string; runId: string }[] = [];
  let engine: TestEngine;
  beforeAll(async () => {
    engine = new TestEngine(context.ctx);
    const workflow = await engine.publish(KEYED);
    for (const [order, shop] of [
      ['A7', 'north'],
      ['A8', 'north'],
      ['A7', 'north'],
      ['15550102803', '1'],
    ])
      found.push(await engine.receive(workflow, JSON.stringify({ order, shop })));
  });

  const idsOf = async (search: typeof events | typeof runs, filter: object, role?: 'viewer') =>
    (await search({ ...filter }, role)).data.map(({ id }) => id);

  test('finds it and its run whatever its case, the newest first, with the other filters', async () => {
    const [first, other, second] = found;
    expect(await idsOf(events, { text: ' a7/NORTH ' })).toEqual([second?.eventId, first?.eventId]);
    expect(await idsOf(runs, { text: 'A7/north' })).toEqual([second?.runId, first?.runId]);
    expect(await idsOf(runs, { text: 'A8/north', status: 'queued' })).toEqual([other?.runId]);
    expect(await idsOf(runs, { text: 'A8/north', status: 'failed' })).toEqual([]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    expect(await idsOf(events, { text: 'A8/north', from: later })).toEqual([]);
    expect(await idsOf(events, { text: 'A8/nort' })).toEqual([]);
  });

  test('finds runs that were started for it later, and its replay', async () => {
    const other = found[1] ?? expect.unreachable();
    const replay = await replayEvent(context.ctx, { id: other.eventId, repeat: true });
    expect(await idsOf(events, { text: 'A8/north' })).toEqual([replay.id, other.eventId]);
    await cancelRun(context.ctx, { id: other.runId });
    const again = await retryRun(context.ctx, { id: other.runId, from: 'start' });
    expect((await idsOf(runs, { text: 'A8/north' })).toSorted()).toEqual(
      [other.runId, again.id, replay.run_id ?? ''].toSorted(),
    );
  });

  test('with a number finds nothing for viewers who see no numbers', async () => {
    expect(await idsOf(events, { text: '15550102803/1' })).toEqual([found[3]?.eventId]);
    expect(await idsOf(events, { text: '15550102803/1' }, 'viewer')).toEqual([]);
  });

  test('of another workspace is not found', async () => {
    const other = await createTestContext();
    const page = await readEvents(
      { ...other.ctx, role: 'editor', masksNumbers: true },
      eventFilterSchema.parse({ text: 'A7/north' }),
    );
    expect(page.data).toEqual([]);
    await other.end();
  });
});
