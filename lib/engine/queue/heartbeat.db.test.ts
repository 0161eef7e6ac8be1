import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProcessClock } from '#lib/core/clock.ts';
import { openDatabase, type Pool } from '#lib/core/db/client.ts';
import { newId } from '#lib/core/ids.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { startHeartbeat } from './heartbeat.ts';

let database: TestDatabase;
let pool: Pool;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase(database.url, { maxConnections: 2 }).$client;
});
afterEach(async () => {
  vi.useRealTimers();
  await pool.end();
  await database.drop();
});

const HOUR_MS = 3_600_000;

test('a process on a machine whose clock is wrong has the time of the database from its first beat on', async () => {
  const before = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: before + 2 * HOUR_MS });
  const clock = new ProcessClock();
  expect(clock.now().getTime()).toBeGreaterThan(before + HOUR_MS);
  const heartbeat = await startHeartbeat({
    pool,
    processId: newId(),
    kind: 'worker',
    jobPoolId: null,
    msSinceLastJob: () => 5000,
    clock,
    logger: pino({ level: 'silent' }),
  });
  const { rows } = await pool.query<{ now: Date; idle_ms: number }>(
    `select clock_timestamp() as now, extract(epoch from heartbeat_at - last_job_at)::float8 * 1000 as idle_ms from processes`,
  );
  expect(rows[0]?.idle_ms).toBeCloseTo(5000);
  expect(Math.abs(clock.now().getTime() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(60_000);
  await heartbeat.stop();
});
