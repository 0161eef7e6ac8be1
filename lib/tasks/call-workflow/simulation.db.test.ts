// The statements of calls in memory behave like those on PostgreSQL, transactions included.
import { expect, test } from 'vitest';
import { expectSameRuns, setUpReplay } from '#lib/engine/testing/simulation/replay.ts';
import { simulate } from '#lib/engine/testing/simulation/simulate.ts';
import { STATEMENTS } from '#lib/engine/testing/simulation/statements.ts';
import { callsModel } from './testing/calls-model.ts';

const SEEDS = Array.from({ length: 20 }, (_, index) => 1 + index * 7);

const model = callsModel();
const replay = setUpReplay();

test.each(SEEDS)('PostgreSQL answers as the simulated database does, seed %i', async (seed) => {
  // Locks of gates are not modeled.
  const schedule = { ...model.makeSchedule(seed), gates: [], limits: [] };
  const result = await simulate(schedule, { model, keepsExecuted: true });
  await replay().play(result);
  await expectSameRuns(replay(), result.tables, ['id', 'status']);
});

test('all statements are among them', () => {
  const own = Object.keys(model.statements).filter((name) => !Object.hasOwn(STATEMENTS, name));
  expect([...replay().played]).toEqual(expect.arrayContaining([...own, 'commit', 'rollback']));
});
