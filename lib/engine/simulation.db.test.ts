// The simulation's in-memory database behaves like PostgreSQL: the statements of some schedules are executed on it one by one,
// each at its simulated instant, and every result is compared.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { Replay } from './testing/simulation/replay.ts';
import { makeSchedule } from './testing/simulation/schedule.ts';
import { simulate } from './testing/simulation/simulate.ts';

const SEEDS = Array.from({ length: 40 }, (_, index) => 1 + index * 7);

let database: TestDatabase;
let replay: Replay;
beforeAll(async () => {
  database = await createTestDatabase();
  replay = await Replay.start(database.url);
});
afterAll(async () => {
  await replay.end();
  await database.drop();
});

test.each(SEEDS)('PostgreSQL answers as the simulated database does, seed %i', async (seed) => {
  const result = await simulate(makeSchedule(seed), { keepsExecuted: true });
  await replay.play(result);
  const { rows } = await replay.client.query<{ id: string; status: string; epoch: number }>(
    'select id, status, epoch from runs order by id',
  );
  expect(rows).toEqual(
    [...result.tables.runs.values()]
      .map(({ id, status, epoch }) => ({ id, status, epoch }))
      .toSorted((a, b) => a.id.localeCompare(b.id)),
  );
});

test('runs that are executed one at a time, and gates, are among them', () => {
  expect([...replay.played]).toEqual(
    expect.arrayContaining(['start_runs_in_lines', 'write_runs_in_lines', 'hold_runs', 'open_gate']),
  );
});
