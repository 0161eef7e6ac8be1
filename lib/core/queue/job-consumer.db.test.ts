import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openHotPool, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { JobConsumer, JobPostponed, LOOKS_APART_MS } from './job-consumer.ts';
import { createJobTable, type JobTable, RUNS } from './job-table.ts';

let database: TestDatabase;
let pool: Pool;
let consumer: JobConsumer | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openHotPool(database.url, { maxConnections: 3, name: 'consumer-test' });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => pool.query('delete from graphile_worker._private_jobs'));
afterEach(async () => {
  await consumer?.stop(1000);
  consumer = undefined;
});

const openTable = (lane = RUNS) => createJobTable(pool, { lockId: newId(), lane, tasks: ['advance'] });
const add = (n: number, runAt = new Date()) =>
  pool.query(`select graphile_worker.add_job('advance', json_build_object('n', $1::int), run_at := $2)`, [
    n,
    runAt,
  ]);

interface JobRow {
  attempts: number;
  locked_by: string | null;
  last_error: string | null;
}
const readJobs = async (): Promise<JobRow[]> =>
  (await pool.query<JobRow>('select attempts, locked_by, last_error from graphile_worker._private_jobs'))
    .rows;

function start(handle: (n: number) => Promise<void>, table: JobTable = openTable()) {
  consumer = new JobConsumer({
    table,
    handle: ({ payload }) => handle((payload as { n: number }).n),
    logger: pino({ level: 'silent' }),
    lane: { ...RUNS, slots: 4 },
  });
  consumer.start();
  return consumer;
}

test('while a job is being handled, looks for more are some time apart, however often it is woken', async () => {
  const table = openTable();
  const isHeld = Promise.withResolvers<void>();
  let looks = 0;
  let handled = 0;
  start(
    async (n) => {
      handled += 1;
      if (n === 0) await isHeld.promise;
    },
    {
      ...table,
      take: (limit) => {
        looks += 1;
        return table.take(limit);
      },
    },
  );
  await add(0);
  await vi.waitFor(() => expect(handled).toBe(1));
  looks = 0;
  const startMs = performance.now();
  for (let n = 1; n <= 20; n += 1) {
    await add(n);
    consumer?.wake();
  }
  await vi.waitFor(() => expect(handled).toBe(21));
  expect(looks).toBeGreaterThan(1);
  // Timers are as exact as a millisecond.
  expect(looks - 1).toBeLessThanOrEqual((performance.now() - startMs) / (LOOKS_APART_MS - 1));
  isHeld.resolve();
});

test('every job is handled once and is gone then; one that is due later waits', async () => {
  await Promise.all(Array.from({ length: 20 }, (_, n) => add(n)));
  await add(20, new Date(Date.now() + 60_000));
  const handled: number[] = [];
  const { msSinceLastJob } = start(async (n) => void handled.push(n));
  expect(msSinceLastJob).toBeNull();
  await expect
    .poll(() => [...handled].sort((a, b) => a - b))
    .toEqual(Array.from({ length: 20 }, (_, n) => n));
  await expect.poll(readJobs).toEqual([{ attempts: 0, locked_by: null, last_error: null }]);
  expect(consumer?.msSinceLastJob).not.toBeNull();
});

test('never more at once than it may', async () => {
  await Promise.all(Array.from({ length: 12 }, (_, n) => add(n)));
  let [atOnce, most, handled] = [0, 0, 0];
  start(async () => {
    most = Math.max(most, (atOnce += 1));
    await new Promise((resolve) => setImmediate(resolve));
    atOnce -= 1;
    handled += 1;
  });
  await expect.poll(() => handled).toBe(12);
  expect(most).toBeLessThanOrEqual(4);
});

test('a job that fails comes again after a while; one that is postponed has not failed', async () => {
  await add(1);
  start(async () => {
    throw new Error('The handler failed.');
  });
  await expect.poll(readJobs).toEqual([{ attempts: 1, locked_by: null, last_error: 'The handler failed.' }]);
  await consumer?.stop(1000);
  await pool.query('update graphile_worker._private_jobs set run_at = now()');
  start(async () => {
    throw new JobPostponed('Not now.', 60_000);
  });
  await expect.poll(readJobs).toEqual([{ attempts: 1, locked_by: null, last_error: 'Not now.' }]);
});

test('a job never runs out of attempts', async () => {
  await add(1);
  await pool.query('update graphile_worker._private_jobs set attempts = max_attempts - 1');
  let handled = 0;
  start(async () => {
    handled += 1;
    if (handled < 3) throw new JobPostponed('Not now.', 0);
  });
  await expect.poll(readJobs).toEqual([]);
  expect(handled).toBe(3);
});

test('jobs that were locked while the answer got lost are taken again', async () => {
  await add(1);
  const table = openTable();
  let losesAnswer = true;
  const handled: number[] = [];
  start(async (n) => void handled.push(n), {
    ...table,
    async take(limit) {
      const jobs = await table.take(limit);
      if (!losesAnswer || jobs.length === 0) return jobs;
      losesAnswer = false;
      throw new Error('Connection terminated unexpectedly');
    },
  });
  await expect.poll(() => handled).toEqual([1]);
  await expect.poll(readJobs).toEqual([]);
});

test('jobs that are locked only after the answer was given up, as by a server that waits for its standby, are taken again', async () => {
  await add(1);
  const table = openTable();
  let calls: 'take' | 'unlock' | 'any' = 'take';
  const handled: number[] = [];
  start(async (n) => void handled.push(n), {
    ...table,
    async take(limit) {
      if (calls === 'any') return table.take(limit);
      calls = 'unlock';
      throw new Error('Query read timeout');
    },
    async unlockExcept(ids) {
      await table.unlockExcept(ids);
      if (calls === 'unlock') await table.take(1);
      calls = 'any';
    },
  });
  await expect.poll(() => handled).toEqual([1]);
  await expect.poll(readJobs).toEqual([]);
});

test('ends are repeated until the database executes them', async () => {
  await add(1);
  const table = openTable();
  let failures = 0;
  let handled = 0;
  start(async () => void (handled += 1), {
    ...table,
    async end(ends) {
      if ((failures += 1) < 3) throw Object.assign(new Error('The disk is full.'), { code: '53100' });
      await table.end(ends);
    },
  });
  await expect.poll(readJobs).toEqual([]);
  expect(handled).toBe(1);
});

test('a job that another worker took meanwhile is not ended', async () => {
  await add(1);
  const opened = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  start(async () => {
    taken.resolve();
    await opened.promise;
  });
  await taken.promise;
  await pool.query(`update graphile_worker._private_jobs set locked_by = 'another'`);
  opened.resolve();
  await consumer?.stop(1000);
  expect((await readJobs()).map((job) => job.locked_by)).toEqual(['another']);
});

test('what is still handled when the time to stop is over goes to others', async () => {
  await add(1);
  const taken = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  start(() => {
    taken.resolve();
    return opened.promise;
  });
  await taken.promise;
  await consumer?.stop(10);
  expect(await readJobs()).toEqual([{ attempts: 0, locked_by: null, last_error: null }]);
  opened.resolve();
});

test('jobs of a lane whose slots are all taken delay no other lane', async () => {
  const slow = { ...RUNS, priority: 1 };
  await pool.query(
    `select graphile_worker.add_job('advance', '{"n": 1}', priority := 1) from generate_series(1, 8)`,
  );
  await add(2);
  const opened = Promise.withResolvers<void>();
  const handled: number[] = [];
  const [held, quick] = [slow, RUNS].map(
    (lane) =>
      new JobConsumer({
        table: openTable(lane),
        handle: async ({ payload }) => {
          handled.push((payload as { n: number }).n);
          if (lane === slow) await opened.promise;
        },
        logger: pino({ level: 'silent' }),
        lane: { ...lane, slots: 4 },
      }),
  ) as [JobConsumer, JobConsumer];
  held.start();
  await expect.poll(() => handled).toEqual([1, 1, 1, 1]);
  quick.start();
  await expect.poll(() => handled).toEqual([1, 1, 1, 1, 2]);
  opened.resolve();
  await expect.poll(readJobs).toEqual([]);
  await Promise.all([held, quick].map((each) => each.stop(1000)));
});

test('a process that is no worker handles what is due, once, and what failed later', async () => {
  await Promise.all(Array.from({ length: 10 }, (_, n) => add(n)));
  const handled: number[] = [];
  const workOff = () =>
    new JobConsumer({
      table: openTable(),
      handle: async ({ payload }) => {
        const { n } = payload as { n: number };
        handled.push(n);
        return n === 5 ? { failedBecause: 'The server is down.' } : undefined;
      },
      logger: pino({ level: 'silent' }),
      lane: { ...RUNS, slots: 2 },
    }).workOff();
  await Promise.all([workOff(), workOff()]);
  expect(handled.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, n) => n));
  expect(await readJobs()).toEqual([{ attempts: 1, locked_by: null, last_error: 'The server is down.' }]);
});

/** Blocks of the table and its indexes that looking for due jobs read, by this pool's only connection. */
async function countBlocks(one: Pool, look: () => Promise<unknown>): Promise<number> {
  const read = async (): Promise<number> => {
    await one.query('select pg_stat_force_next_flush()');
    const { rows } = await one.query<{ blocks: number }>(
      `select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::int as blocks
       from pg_statio_all_tables where relid = 'graphile_worker._private_jobs'::regclass`,
    );
    return rows[0]?.blocks ?? 0;
  };
  const before = await read();
  await look();
  return (await read()) - before;
}

test('while a backup holds a snapshot, looking for jobs does not read all that were done since', async () => {
  const one = openHotPool(database.url, { maxConnections: 1, name: 'consumer-test' });
  const backup = await pool.connect();
  try {
    await backup.query('begin isolation level repeatable read read only');
    await backup.query('select count(*) from graphile_worker._private_jobs');
    const looks: JobTable = createJobTable(one, { lockId: newId(), lane: RUNS, tasks: ['advance'] });
    await pool.query(
      `select graphile_worker.add_job('advance', '{"n": 1}', run_at := now() - interval '1 minute') from generate_series(1, 3000)`,
    );
    const whole = async (): Promise<void> => {
      // The next look after it begins at the oldest job.
      await looks.unlockExcept([]);
      await looks.take(1);
    };
    const jobs = await looks.take(5000);
    await looks.end(jobs.map(({ id }) => ({ id })));
    // How long a look takes decides when the next one begins at the oldest job: however busy the machine is, it takes as long.
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1));
    expect(await countBlocks(one, whole)).toBeGreaterThan(100);
    expect(await countBlocks(one, () => looks.take(1))).toBeLessThan(15);
    vi.restoreAllMocks();

    await add(1);
    expect(await looks.take(5)).toHaveLength(1);
    // As of a transaction that lasted longer than any other, or of a worker that died.
    await add(2, new Date(Date.now() - 120_000));
    await expect.poll(() => looks.take(5)).toHaveLength(1);
  } finally {
    vi.restoreAllMocks();
    await backup.query('rollback');
    backup.release();
    await one.end();
  }
});

test('after a look that was slow, for example because of an outage, jobs that were due earlier are found soon', async () => {
  const slow = { ms: 60_000 };
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<unknown>;
  const slowPool: Pool = Object.assign(Object.create(pool) as Pool, {
    async query(...given: unknown[]) {
      const result = await query(...given);
      nowMs += slow.ms;
      return result;
    },
  });
  try {
    const looks = createJobTable(slowPool, { lockId: newId(), lane: RUNS, tasks: ['advance'] });
    expect(await looks.take(5)).toEqual([]);
    slow.ms = 0;
    await add(1, new Date(Date.now() - 120_000));
    expect(await looks.take(5)).toEqual([]);
    nowMs += 2000;
    expect(await looks.take(5)).toHaveLength(1);
  } finally {
    vi.restoreAllMocks();
  }
});
