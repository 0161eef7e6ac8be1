// The engine under faults (docs/engine.md, "Proof"): the real intake, store, queue consumer, run host and heartbeats of
// several processes, on a database in memory and under schedules of kills, stalls and broken connections.
import { expect, test } from 'vitest';
import type { Sabotage } from './testing/simulation/moment.ts';
import { makeSchedule } from './testing/simulation/schedule.ts';
import { describeFailure, findFailure, findFirstFailure } from './testing/simulation/shrink.ts';
import { simulate } from './testing/simulation/simulate.ts';

/** The number for each change; `npm run simulate -- --count 10000` runs more. */
const SCHEDULES = 1000;
/** Number of schedules in which an injected defect must be found, starting with the seed that found it. */
const SABOTAGED_SCHEDULES = 500;
/** Minimum number of runs of these schedules that end as without faults. */
const UNHARMED_SHARE = 0.75;
/** Rare defects are found by executing many of the statements that they concern late: one in about 60 schedules. */
const LATE = { share: 0.3, latestMs: 500 };
/** Half of the schedules execute first legs before the commit; minimum number of runs that complete one. */
const LEG_SHARE = 0.05;

test(`${SCHEDULES.toLocaleString('en')} schedules break no invariant`, async () => {
  let runs = 0;
  let unharmed = 0;
  let legs = 0;
  const failure = await findFailure({ first: 1, count: SCHEDULES }, {}, ({ tables, legs: written }) => {
    legs += written;
    for (const [id] of tables.runs) {
      runs += 1;
      const taskRuns = [...(tables.taskRuns.get(id)?.values() ?? [])];
      if (taskRuns.every(({ status }) => status !== 'outcome_unknown')) unharmed += 1;
    }
  });
  expect(failure && describeFailure(failure)).toBeUndefined();
  expect(unharmed / runs).toBeGreaterThan(UNHARMED_SHARE);
  expect(legs / runs).toBeGreaterThan(LEG_SHARE);
}, 600_000);

test.each([76_912, 87_943])('schedule %i, which once broke one, breaks none', async (first) => {
  const failure = await findFailure({ first, count: 1 });
  expect(failure && describeFailure(failure)).toBeUndefined();
});

test('the same seed gives the same simulation', async () => {
  for (const seed of [3, 77, 100, 2654]) {
    const [first, second] = [await simulate(makeSchedule(seed)), await simulate(makeSchedule(seed))];
    expect([second.events, second.statements]).toEqual([first.events, first.statements]);
  }
});

test.each<{ sabotage: Sabotage; first: number; late?: string; of: string }>([
  { sabotage: 'epochs', first: 1, late: 'write_', of: 'the check of a run’s epoch' },
  { sabotage: 'late_takes', first: 1, late: 'take_', of: 'the numbers of statements that take runs' },
  { sabotage: 'late_writes', first: 1, late: 'write_', of: 'the numbers of statements that write runs' },
  { sabotage: 'untaken', first: 1, of: 'the check that no other has taken a run that was only read' },
  { sabotage: 'side_effects', first: 1, of: 'the record of what is about to happen' },
  { sabotage: 'heartbeats', first: 1, of: 'the check of the holder’s heartbeat' },
  { sabotage: 'giving_back', first: 1, of: 'the giving back of what dead processes held' },
  { sabotage: 'claims', first: 1, of: 'the claims of runs that outlive their job' },
  { sabotage: 'unclaimed', first: 400, of: 'the look at who holds a run that could not be taken' },
  { sabotage: 'wakes', first: 150, of: 'the look for signals that came before their run waited' },
  { sabotage: 'closing', first: 1, of: 'the closing of a wait before its signals are read' },
  { sabotage: 'copies', first: 1, of: 'the record of signals that were used' },
  { sabotage: 'turns', first: 1, of: 'the check that a run has its turn when it is taken' },
  { sabotage: 'entering', first: 1, of: 'the look for runs that are before a new one in its line' },
  { sabotage: 'leaving', first: 1, of: 'the turn of the next run when one ends' },
  { sabotage: 'gates', first: 1, of: 'the look at how many runs are through a gate' },
  { sabotage: 'gate_leaving', first: 1, of: 'the next run that is let through a gate when one ends' },
  { sabotage: 'workspace_gates', first: 1, of: 'the look at how many runs of a workspace are executed' },
  { sabotage: 'workspace_gate_leaving', first: 1, of: 'the next run of a workspace when one ends' },
  { sabotage: 'unlocking', first: 1, of: 'the unlocking of jobs whose taking was not answered' },
])(
  'an engine without $of is found',
  async ({ sabotage, first, late }) => {
    const aim = late === undefined ? {} : { aim: { name: late, ...LATE } };
    expect(await findFirstFailure({ first, count: SABOTAGED_SCHEDULES }, { sabotage, ...aim })).toBeDefined();
  },
  120_000,
);
