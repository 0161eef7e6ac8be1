import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { pruneMessaging } from '#lib/messaging/prune-messaging.ts';
import { slowDown, takeTurn, type Turn } from './take-turn.ts';

let database: TestDatabase;
let pools: Pool[];

beforeAll(async () => {
  database = await createTestDatabase();
  // Each like in a worker process.
  pools = ['one', 'two'].map((name) => openHotPool(database.url, { maxConnections: 4, name }));
});
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.end()));
  await database.drop();
});
beforeEach(() => pools[0]?.query('delete from send_rates; delete from send_turns'));

const LIMITS = { messagesPerSecond: 40, pairBurst: 3, pairRefillSeconds: 6 };

const take = (index: number, more: Partial<Parameters<typeof takeTurn>[1]> = {}): Promise<Turn> =>
  takeTurn(pools[index % pools.length] as Pool, {
    phoneNumberId: '1',
    recipient: String(index),
    turnKey: `turn ${index}`,
    isFirstAttempt: true,
    limits: LIMITS,
    ...more,
  });

const waitOf = (turn: Turn): number => (turn.kind === 'wait' ? turn.waitMs : turn.seconds * 1000);

describe('throughput of one number', () => {
  test('a quarter of a second of messages goes at once, the next one waits', async () => {
    const startedAt = performance.now();
    for (let index = 0; index < 10; index += 1) expect(waitOf(await take(index))).toBe(0);
    const next = waitOf(await take(10));
    expect(next).toBeLessThanOrEqual(25);
    expect(next).toBeGreaterThanOrEqual(Math.max(0, 25 - (performance.now() - startedAt)));
  });

  test('all workers together keep to the rate: 100 at once are spread over the time that they need', async () => {
    const count = 100;
    const connections = 8;
    const startedAt = performance.now();
    // A wait counts from an instant between query and response, so that on a slow machine each send time is a range.
    const ranges: { earliest: number; latest: number }[] = [];
    const takeOneByOne = async (first: number): Promise<void> => {
      for (let index = first; index < count; index += connections) {
        const askedAt = performance.now() - startedAt;
        const wait = waitOf(await take(index));
        ranges.push({ earliest: askedAt + wait, latest: performance.now() - startedAt + wait });
      }
    };
    await Promise.all(Array.from({ length: connections }, (_, first) => takeOneByOne(first)));
    const tookMs = performance.now() - startedAt;
    const earliest = ranges.map((range) => range.earliest).sort((a, b) => a - b);
    const latest = ranges.map((range) => range.latest).sort((a, b) => a - b);
    const needMs = ((count - 10) / LIMITS.messagesPerSecond) * 1000;
    // The clock of PostgreSQL is another one.
    expect(latest.at(-1)).toBeGreaterThan(needMs - 5);
    expect(earliest.at(-1)).toBeLessThan(needMs + tookMs);
    // A second's messages take a second, less the burst after a pause.
    for (let at = 0; at + 40 < count; at += 1)
      expect((latest[at + 40] ?? 0) - (earliest[at] ?? 0)).toBeGreaterThan(749);
  });

  test('other numbers do not wait for it', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => take(index)));
    expect(waitOf(await take(1, { phoneNumberId: '2' }))).toBe(0);
  });
});

describe('one number to one customer', () => {
  const same = (index: number, more: object = {}) => take(index, { recipient: 'same', ...more });

  test('the burst goes at once, then one in each interval', async () => {
    const startedAt = performance.now();
    const waits = [];
    for (let index = 0; index < 5; index += 1) waits.push(waitOf(await same(index)));
    const tookMs = performance.now() - startedAt;
    // In milliseconds: a turn may be due in the same one.
    expect(waits.slice(0, 3).map(Math.floor)).toEqual([0, 0, 0]);
    for (const [index, interval] of [6000, 12_000].entries()) {
      expect(waits[3 + index]).toBeGreaterThanOrEqual(interval - tookMs);
      // The clock of PostgreSQL may be set back a little.
      expect(waits[3 + index]).toBeLessThanOrEqual(interval + 5);
    }
  });

  test('a turn that was given for later is kept: coming back takes no further one', async () => {
    for (let index = 0; index < 3; index += 1) await same(index);
    expect(await same(4)).toMatchObject({ kind: 'later' });
    const { rows } = (await pools[0]?.query('select next_at from send_rates where rate_key like $1', [
      'pair:%',
    ])) ?? { rows: [] };
    await pools[1]?.query(`update send_turns set turn_at = now() + interval '1 second'`);
    const again = await same(4, { isFirstAttempt: false });
    expect(again.kind).toBe('wait');
    expect(waitOf(again)).toBeLessThanOrEqual(1001);
    expect(
      (await pools[0]?.query('select next_at from send_rates where rate_key like $1', ['pair:%']))?.rows,
    ).toEqual(rows);
  });

  test('coming back too early keeps it as well', async () => {
    for (let index = 0; index < 3; index += 1) await same(index);
    await same(4);
    expect(await same(4, { isFirstAttempt: false })).toMatchObject({ kind: 'later' });
    expect((await pools[0]?.query('select * from send_turns'))?.rowCount).toBe(1);
  });
});

describe('a customer who gets few messages', () => {
  // A burst of 18: the first two of a process are not stored.
  const limits = { messagesPerSecond: 1000, pairBurst: 18, pairRefillSeconds: 600 };
  // Processes remember customers: each test has another one.
  let recipient: string;
  beforeEach(({ task }) => {
    recipient = task.id;
  });
  const send = (index: number) => take(index, { recipient, limits });
  const readAhead = async (): Promise<number[]> => {
    const { rows } = await (pools[0] as Pool).query<{ messages: number }>(
      `select round(extract(epoch from next_at - now()) / 600)::int as messages from send_rates where rate_key like 'pair:%'`,
    );
    return rows.map(({ messages }) => messages);
  };

  test('has no row; the next message stores all of them', async () => {
    for (let index = 0; index < 4; index += 2) await send(index);
    expect(await readAhead()).toEqual([]);
    await send(4);
    expect(await readAhead()).toEqual([3]);
    await send(6);
    expect(await readAhead()).toEqual([4]);
  });

  test('gets the burst at once, and waits after it, whatever is stored', async () => {
    const turns = [];
    for (let index = 0; index < 20; index += 1) turns.push(await send(index * 2));
    expect(turns.slice(0, 18).every((turn) => waitOf(turn) < 1)).toBe(true);
    expect(turns.slice(18).map(({ kind }) => kind)).toEqual(['later', 'later']);
  });

  test('gets as much of a burst in one statement', async () => {
    const turns = await Promise.all(Array.from({ length: 20 }, (_, index) => send(index * 2)));
    expect(turns.filter((turn) => waitOf(turn) < 1)).toHaveLength(18);
    expect(await readAhead()).toEqual([20]);
  });

  test('is stored by a process that finds what another one stored', async () => {
    for (let index = 0; index < 6; index += 2) await send(index);
    await send(1);
    expect(await readAhead()).toEqual([3]);
    await send(3);
    expect(await readAhead()).toEqual([5]);
  });

  test('waits in all processes after a refusal', async () => {
    await send(0);
    await slowDown(pools[0] as Pool, { phoneNumberId: '1', recipient, limits }, 'pair', 60);
    const [own, other] = [await send(2), await send(1)];
    expect(waitOf(own)).toBeGreaterThan(59_000);
    expect(waitOf(other)).toBeGreaterThan(59_000);
  });
});

test('what is over is pruned, what counts is kept', async () => {
  const pool = pools[0] as Pool;
  await pool.query(`insert into send_rates values ('old', now() - interval '2 days'), ('new', now())`);
  await pool.query(
    `insert into received_changes values (gen_random_uuid(), 'old', now() - interval '15 days'), (gen_random_uuid(), 'new', now())`,
  );
  await pruneMessaging(pool);
  const { rows } = await pool.query(
    'select rate_key as key from send_rates union all select change_key from received_changes',
  );
  expect(rows).toEqual([{ key: 'new' }, { key: 'new' }]);
});
