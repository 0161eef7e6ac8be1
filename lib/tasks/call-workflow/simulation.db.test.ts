// The statements of calls in memory behave like those on PostgreSQL, transactions included.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Replay } from '#lib/engine/testing/simulation/replay.ts';
import { simulate } from '#lib/engine/testing/simulation/simulate.ts';
import { STATEMENTS } from '#lib/engine/testing/simulation/statements.ts';
import { createTestDatabase, type TestDatabase } from '#lib/testing/test-database.ts';
import { callsModel } from './testing/calls-model.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => 1 + index * 7);

const model = callsModel();
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
  // Locks of gates are not modeled.
  const schedule = { ...model.makeSchedule(seed), gates: [] };
  const result = await simulate(schedule, { model, keepsExecuted: true });
  await replay.play(result);
  const { rows } = await replay.client.query<{ id: string; status: string }>(
    'select id, status from runs order by id',
  );
  expect(rows).toEqual(
    [...result.tables.runs.values()]
      .map(({ id, status }) => ({ id, status }))
      .toSorted((a, b) => a.id.localeCompare(b.id)),
  );
});

test('all statements are among them', () => {
  const own = Object.keys(model.statements).filter((name) => !Object.hasOwn(STATEMENTS, name));
  expect([...replay.played]).toEqual(expect.arrayContaining([...own, 'commit', 'rollback']));
});
