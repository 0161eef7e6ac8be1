// Calls under faults (docs/engine.md, "Proof"): the real executor in a workflow that calls another one, on a database in memory.
import { expect, test } from 'vitest';
import { describeFailure, findFailure, findFirstFailure } from '#lib/engine/testing/simulation/shrink.ts';
import { type CallSabotage, callsModel } from './testing/calls-model.ts';

/** The number for each change; `npm run simulate -- --model calls --count 10000` runs more. */
const SCHEDULES = 250;
const SABOTAGED_SCHEDULES = 300;

test(`${SCHEDULES} schedules of calls break no invariant`, async () => {
  let calls = 0;
  const failure = await findFailure({ first: 1, count: SCHEDULES }, { model: callsModel() }, ({ tables }) => {
    calls += tables.calls.size;
  });
  expect(failure && describeFailure(failure, 'calls')).toBeUndefined();
  expect(calls).toBeGreaterThan(2 * SCHEDULES);
}, 120_000);

test.each<{ sabotage: CallSabotage; of: string }>([
  { sabotage: 'returns', of: 'the wake of the caller' },
  { sabotage: 'ids', of: 'the id that is the wait’s' },
  { sabotage: 'lending', of: 'the place that a caller lends while the called run waits for its turn' },
])(
  'a call without $of is found',
  async ({ sabotage }) => {
    const seeds = { first: 1, count: SABOTAGED_SCHEDULES };
    expect(await findFirstFailure(seeds, { sabotage, model: callsModel() })).toBeDefined();
  },
  60_000,
);
