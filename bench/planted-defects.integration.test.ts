// Defects that `npm run crash-points` must find: an engine without one of its protections. A fault shows it only while other
// processes react in time, so that nothing else runs in parallel.
import { expect, test } from 'vitest';
import { firstOfEachName, isOfWeb, leavesOwnTrace, singlesOf } from './crash-points/explore.ts';
import type { Played } from './crash-points/play.ts';
import { SABOTAGES } from './crash-points/sabotages.ts';
import { SCENARIOS } from './crash-points/scenarios/all.ts';
import { useLanes } from './crash-points/use-lanes.ts';

const playThem = useLanes();

test.each(SABOTAGES)('an engine without $of is found', async (sabotage) => {
  const scenarios = SCENARIOS.filter(({ name }) => name === sabotage.scenario);
  const bases = await playThem(
    scenarios.map((scenario) => ({ scenario, wanted: [] })),
    sabotage,
  );
  expect(bases.flatMap(({ violations }) => violations)).toEqual([]);
  const points = bases.flatMap((base) => singlesOf(base, [sabotage.strike]));
  const ofWorkers = points.filter((plan) => !isOfWeb(plan));
  const aimed = ofWorkers.filter((plan) => plan.wanted.every(leavesOwnTrace));
  const isFound = ({ violations }: Played): boolean => violations.length > 0;
  // On a busy machine a fault may be too late to show it, and an operation may have another number in each play, so that all
  // occurrences of a name are tested as well, and the points that leave no trace of their own.
  const firstOnes = [aimed, ofWorkers].map((plans) => firstOfEachName(plans, new Set()));
  const plans = [...firstOnes, aimed, aimed].flat();
  const played = await playThem(plans, sabotage, isFound);
  expect(played.some(isFound)).toBe(true);
});
