import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSettings } from '#lib/core/env.ts';
import { openRuntime, type ProcessRuntime } from '#lib/core/process-runtime.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { startWorker } from './worker.ts';
import { NOTHING_RECURS } from '#lib/engine/testing/nothing-recurs.ts';

let database: TestDatabase;
let runtimes: ProcessRuntime[];
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = parseSettings({ DATABASE_URL: database.url });
  runtimes = [1, 2].map(() => openRuntime('worker', settings, logger));
});
afterAll(async () => {
  await Promise.all(runtimes.map((runtime) => runtime.close()));
  await database.drop();
});

interface Row {
  locked: boolean;
  due_in_seconds: number;
  attempts: number;
}
const readJobs = async (): Promise<Row[]> =>
  (
    await runtimes[0]?.vital.query<Row>(
      `select locked_by is not null as locked, attempts,
         round(extract(epoch from run_at - now()) / 60)::int * 60 as due_in_seconds from graphile_worker._private_jobs
       where key = 'housekeeping'`,
    )
  )?.rows ?? [];

/** Runs two workers until the due housekeeping is done, and stops them. @returns how often it was executed */
async function workTogether(runHousekeeping: () => Promise<void> = async () => undefined): Promise<number> {
  let times = 0;
  const run = async () => {
    times += 1;
    await runHousekeeping();
  };
  const workers = await Promise.all(
    runtimes.map((runtime) =>
      startWorker({
        pools: runtime,
        clock: runtime.clock,
        findExecutor: () => undefined,
        renderAnswer: () => ({ status: 200, contentType: 'text/plain', body: '' }),
        recurring: { ...NOTHING_RECURS, housekeeping: run },
        logger,
        maxRuns: 10,
      }),
    ),
  );
  const waiting = [{ locked: false, due_in_seconds: 3600, attempts: 0 }];
  await expect.poll(readJobs).toEqual(waiting);
  await Promise.all(workers.map((worker) => worker.stop()));
  return times;
}

test('of two workers one does the housekeeping, once an hour; workers that start do not do it again', async () => {
  expect(await workTogether()).toBe(1);
  expect(await workTogether()).toBe(0);
  await runtimes[0]?.vital.query('update graphile_worker._private_jobs set run_at = now()');
  expect(await workTogether()).toBe(1);
});

test('housekeeping that fails is tried again', async () => {
  await runtimes[0]?.vital.query('update graphile_worker._private_jobs set run_at = now()');
  let failures = 0;
  const failOnce = async () => {
    if (failures++ === 0) throw new Error('once');
  };
  expect(await workTogether(failOnce)).toBe(2);
});
