// The simulation's in-memory database behaves like PostgreSQL: the statements of some schedules are executed on it one by one,
// each at its simulated instant, and every result is compared.
import { expect, test } from 'vitest';
import { expectSameRuns, setUpReplay } from './testing/simulation/replay.ts';
import { makeSchedule } from './testing/simulation/schedule.ts';
import { simulate } from './testing/simulation/simulate.ts';

/** In the last ones runs overtake others. */
const SEEDS = [...Array.from({ length: 40 }, (_, index) => 1 + index * 7), 831, 963];

const replay = setUpReplay();

test.each(SEEDS)('PostgreSQL answers as the simulated database does, seed %i', async (seed) => {
  const result = await simulate(makeSchedule(seed), { keepsExecuted: true });
  await replay().play(result);
  await expectSameRuns(replay(), result.tables, ['id', 'status', 'epoch']);
});

test('runs that are executed one at a time, gates, and runs that overtake others are among them', () => {
  expect([...replay().played]).toEqual(
    expect.arrayContaining([
      'start_runs_in_lines',
      'write_runs_in_lines',
      'hold_runs',
      'open_gate',
      'limit_workspace',
      'open_workspace_gate',
      'find_others',
      'overtake',
    ]),
  );
});
