// A loop of several items at once on PostgreSQL, while its workers are killed again and again.
import { expect, it } from 'vitest';
import type { ActorContext } from '#lib/identity/context.ts';
import { cancelRun } from '#lib/runs/change-run.ts';
import { done, TestEngine } from '#lib/runs/testing/test-engine.ts';
import { context, engine, get, http, refuse, retry, runOf, setUpRuns } from '#lib/runs/testing/test-runs.ts';
import { Random } from '#lib/testing/random.ts';
import { drawing } from '#lib/workflows/testing/test-graphs.ts';

const ITEM_COUNT = 200;
const AT_ONCE = 12;
const KILLS = 8;
const WAITS = expect.stringContaining('"Rest" (task 6) waits') as unknown;

setUpRuns();

/** 1 → loop 2, each → set 3 → POST 4; done → set 5. */
const sendToEach = (settings: object) =>
  drawing(
    [
      { id: 2, type: 'loop', settings: { items: '{{task_1_items}}', at_once: AT_ONCE, ...settings } },
      {
        id: 3,
        type: 'set_variables',
        settings: { variables: [{ name: 'to', value: '{{task_2_item_to}}' }] },
      },
      http(4),
      {
        id: 5,
        type: 'set_variables',
        settings: { variables: [{ name: 'n', value: '{{task_2_count}}' }] },
      },
    ],
    [
      { from: 1, to: 2 },
      { from: 2, to: 3, branch: 'each' },
      { from: 3, to: 4 },
      { from: 2, to: 5, branch: 'done' },
    ],
  );

const ITEMS = JSON.stringify({
  items: Array.from({ length: ITEM_COUNT }, (_, n) => ({ to: `customer ${n}` })),
});

/** What happens to a killed process: its statements may still be executed, and it receives no answer. */
class Process {
  isKilled = false;
  readonly killed: Promise<'killed'>;
  readonly #end: (outcome: 'killed') => void;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<'killed'>();
    this.killed = promise;
    this.#end = resolve;
  }

  kill(): Promise<never> {
    this.isKilled = true;
    this.#end('killed');
    return new Promise(() => undefined);
  }

  /** Its context: with a pool that dies with it. */
  contextOf(ctx: ActorContext): ActorContext {
    const pool = ctx.db.$client;
    const queryPool = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
    const query = async (...given: unknown[]): Promise<unknown> => {
      if (this.isKilled) return this.kill();
      const result = await queryPool(...given);
      return this.isKilled ? this.kill() : result;
    };
    const dying = new Proxy(pool, {
      get: (target, name) => (name === 'query' ? query : (Reflect.get(target, name, target) as unknown)),
    });
    return {
      ...ctx,
      db: new Proxy(ctx.db, {
        get: (target, name) => (name === '$client' ? dying : (Reflect.get(target, name, target) as unknown)),
      }),
    };
  }
}

const startRun = (settings: object): Promise<string> => runOf(sendToEach(settings), ITEMS);

it.each([1, 2, 3])('sends to each of 200 items once, or flags it, kills of seed %i', async (seed) => {
  const random = new Random(seed);
  const runId = await startRun({ on_item_failure: 'continue' });
  const sent = new Map<string, unknown[]>();
  let mostAtOnce = 0;
  for (let kills = 0; ; kills += 1) {
    const process = new Process();
    const dying = new TestEngine(process.contextOf(context.ctx));
    let untilKill = kills < KILLS ? 2 + random.below((2 * ITEM_COUNT) / KILLS) : Infinity;
    let underWay = 0;
    dying.call = async ({ iteration, scope }) => {
      if (process.isKilled) return process.kill();
      underWay += 1;
      mostAtOnce = Math.max(mostAtOnce, underWay);
      sent.set(iteration, [...(sent.get(iteration) ?? []), scope.resolve('task_3_to')]);
      for (let turns = random.below(20); turns > 0; turns -= 1) await new Promise(setImmediate);
      underWay -= 1;
      untilKill -= 1;
      return untilKill <= 0 ? process.kill() : done({ iteration });
    };
    const outcome = await Promise.race([dying.advance(runId), process.killed]);
    if (outcome === 'succeeded') break;
    expect(outcome).toBe('killed');
  }
  expect(mostAtOnce).toBe(AT_ONCE);
  const { tasks, status } = await get(runId);
  expect(status).toBe('succeeded');
  const sends = tasks.filter(({ task_id }) => task_id === 4);
  expect(sends.map(({ iteration }) => iteration[0]).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: ITEM_COUNT }, (_, n) => n),
  );
  for (const send of sends) {
    const item = String(send.iteration[0]);
    const happened = sent.get(item) ?? [];
    const expected = [`customer ${item}`];
    if (send.status === 'succeeded') expect([happened, send.output]).toEqual([expected, { iteration: item }]);
    else {
      expect(send.status).toBe('outcome_unknown');
      expect([[], expected]).toContainEqual(happened);
    }
  }
  const flagged = sends.filter((send) => send.status === 'outcome_unknown').length;
  expect(flagged).toBeLessThanOrEqual(KILLS * AT_ONCE);
  expect(tasks.find(({ task_id }) => task_id === 2)?.output).toEqual({
    count: ITEM_COUNT,
    failed_count: flagged,
  });
});

it('is refused at publishing with a task inside that waits, and not as a draft', async () => {
  const { tasks, edges } = sendToEach({});
  const delay = { id: 6, type: 'delay', name: 'Rest', settings: { amount: 5 } };
  const waiting = drawing([...tasks.slice(1), delay], [...edges, { from: 4, to: 6 }]);
  await expect(engine.publish(waiting)).rejects.toMatchObject({
    code: 'invalid_workflow',
    problems: [{ path: 'tasks[1].settings.at_once', message: WAITS }],
  });
});

it('stops at an item that failed, and continues with the others when it is retried', async () => {
  const runId = await startRun({ on_item_failure: 'stop' });
  const sent: number[] = [];
  let fails = true;
  engine.call = async ({ iteration }) => {
    await new Promise(setImmediate);
    if (fails && iteration === '20') refuse();
    sent.push(Number(iteration));
    return done();
  };
  expect(await engine.advance(runId)).toBe('failed');
  expect(sent.length).toBeLessThan(20 + 2 * AT_ONCE);
  const { error } = await get(runId);
  expect(error).toMatchObject({ code: 'item_failed', details: { item: 20, task_id: 4 } });
  fails = false;
  await retry(runId);
  expect(await engine.advance(runId)).toBe('succeeded');
  expect(sent.toSorted((a, b) => a - b)).toEqual(Array.from({ length: ITEM_COUNT }, (_, n) => n));
  const loop = (await get(runId)).tasks.find(({ task_id }) => task_id === 2);
  expect(loop?.output).toEqual({ count: ITEM_COUNT, failed_count: 0 });
});

it('starts nothing after it was cancelled, and flags what was under way in all open items', async () => {
  const runId = await startRun({});
  const isCancelled = Promise.withResolvers<void>();
  let started = 0;
  engine.call = async () => {
    started += 1;
    if (started === AT_ONCE) void cancelRun(context.ctx, { id: runId }).then(() => isCancelled.resolve());
    await isCancelled.promise;
    return done();
  };
  expect(await engine.advance(runId)).toBe('lost');
  expect(started).toBe(AT_ONCE);
  const { status, tasks } = await get(runId);
  expect(status).toBe('cancelled');
  const sends = tasks.filter(({ task_id }) => task_id === 4);
  expect(sends.map((send) => send.status)).toEqual(new Array(AT_ONCE).fill('outcome_unknown'));
});
