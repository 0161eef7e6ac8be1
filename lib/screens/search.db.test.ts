import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestEngine } from '#lib/runs/testing/test-engine.ts';
import { callingGraph } from '#lib/workflows/testing/test-graphs.ts';
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
