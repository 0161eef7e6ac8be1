import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProcessClock } from '#lib/core/clock.ts';
import type { Pool } from '#lib/core/db/client.ts';
import { startHeartbeat } from './heartbeat.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A database that answers every heartbeat after `beatMs`, and records queries for what dead processes held. */
function openPool(): { pool: Pool; database: { beatMs: number; sweeps: number[] } } {
  const database = { beatMs: 0, sweeps: [] as number[] };
  const query = async (asked: { name?: string } | string): Promise<{ rows: unknown[] }> => {
    const name = typeof asked === 'string' ? asked : asked.name;
    if (name === 'beat') await new Promise((resolve) => setTimeout(resolve, database.beatMs));
    if (name === 'give_back') database.sweeps.push(performance.now());
    return { rows: [] };
  };
  return { pool: { query } as unknown as Pool, database };
}

test('after beats that were held up, the other processes get time to say that they are alive', async () => {
  const { pool, database } = openPool();
  const starting = startHeartbeat({
    pool,
    processId: 'this',
    kind: 'worker',
    jobPoolId: 'this',
    clock: new ProcessClock(),
    logger: pino({ level: 'silent' }),
  });
  await vi.advanceTimersByTimeAsync(3000);
  const heartbeat = await starting;
  expect(database.sweeps.length).toBeGreaterThan(1);

  // As while commits wait for a vanished standby: no heartbeat of any process is visible in the meantime.
  database.beatMs = 7000;
  await vi.advanceTimersByTimeAsync(2000);
  database.beatMs = 0;
  database.sweeps.length = 0;
  const heldUpAt = performance.now();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(database.sweeps[0]).toBeGreaterThanOrEqual(heldUpAt + 5000 + 6000);
  await heartbeat.stop();
});
