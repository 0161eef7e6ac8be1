// Holds and stops under faults (docs/engine.md, "Proof"): the real sending, holds and consent of two workflows a customer, on a
// database in memory.
import { expect, test } from 'vitest';
import { describeFailure, findFailure, findFirstFailure } from '#lib/engine/testing/simulation/shrink.ts';
import { type CustomerSabotage, customersModel } from './testing/simulation/model.ts';

/** The number for each change; `npm run simulate -- --model customers --count 10000` runs more. */
const SCHEDULES = 400;
const SABOTAGED_SCHEDULES = 1500;
const LATE = { share: 0.3, latestMs: 500 };

test(`${SCHEDULES} schedules of holds and stops break no invariant`, async () => {
  const failure = await findFailure({ first: 1, count: SCHEDULES }, { model: customersModel() });
  expect(failure && describeFailure(failure, 'customers')).toBeUndefined();
}, 120_000);

// A connection broke between the record of a wait and the look at the hold; runs waited for each other.
test('schedules that once broke one break none', async () => {
  for (const first of [20, 307, 1726]) {
    const failure = await findFailure({ first, count: 1 }, { model: customersModel() });
    expect(failure && describeFailure(failure, 'customers')).toBeUndefined();
  }
});

test.each<{ sabotage: CustomerSabotage; isAimed?: true; late?: string; of: string }>([
  { sabotage: 'early', of: 'the look-up after the record' },
  { sabotage: 'once', of: 'the look-up after a wait' },
  {
    sabotage: 'unrecorded',
    isAimed: true,
    late: 'write_runs_with_waits',
    of: 'the record of a wait before the hold is looked up',
  },
  { sabotage: 'shared', isAimed: true, of: 'the look-up that waits for changes that are not committed' },
  { sabotage: 'apart', isAimed: true, of: 'one commit of the end of a hold and its signals' },
  { sabotage: 'silent', of: 'the signals at the end of a hold' },
  { sabotage: 'order', of: 'the place of runs that wait' },
  { sabotage: 'names', of: 'the other names of a customer' },
  { sabotage: 'pauses', of: 'the time that a hold suspends' },
])(
  'sending without $of is found',
  async ({ sabotage, isAimed = false, late }) => {
    const seeds = { first: 1, count: SABOTAGED_SCHEDULES };
    const aim = late === undefined ? {} : { aim: { name: late, ...LATE } };
    const options = { sabotage, model: customersModel({ sabotage, isAimed }), ...aim };
    expect(await findFirstFailure(seeds, options)).toBeDefined();
  },
  60_000,
);
