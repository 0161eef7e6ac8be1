// Goes through the points of all scenarios: alone, and in pairs. Which points follow a strike is found by passing them.
import type { Lane } from './lane.ts';
import { play, type Played } from './play.ts';
import { describePoint, nameOf, type Point, type Strike, type Struck } from './point.ts';
import type { Scenario } from './scenario.ts';
import type { Sabotage } from './installation.ts';

export interface Plan {
  scenario: Scenario;
  wanted: readonly Struck[];
}

export const STRIKES: readonly Strike[] = ['dies', 'stalls', 'pauses', 'breaks'];

/** Each point once, in the order in which they were passed first. */
const pointsOf = (passed: readonly Point[]): Point[] => [
  ...new Map(passed.map((point) => [describePoint(point), point])).values(),
];

const strikeAt = (point: Point, strike: Strike): Struck => ({ ...point, strike });

/** Every point that an undisturbed play passed, struck alone. A web process holds no runs that others could take meanwhile. */
export const singlesOf = (base: Played, strikes: readonly Strike[]): Plan[] =>
  pointsOf(base.passed).flatMap((point) =>
    strikes
      .filter((strike) => strike === 'dies' || strike === 'breaks' || point.kind === 'worker')
      .map((strike) => ({ scenario: base.scenario, wanted: [strikeAt(point, strike)] })),
  );

/** Whether a death leaves something else behind than one at the point before: after a change, and around a call. */
export const leavesOwnTrace = ({ effect, place }: Point): boolean =>
  effect === 'calls' || (effect === 'writes' && place === 'after');

export const isOfWeb = ({ wanted }: Plan): boolean => wanted[0]?.kind === 'web';

/** After a process died at a point that leaves its own trace, one dies at every such point that follows. */
export function pairsOf(single: Played): Plan[] {
  const [first] = single.wanted;
  if (single.struck !== 1 || single.wanted.length !== 1) return [];
  if (first?.strike !== 'dies' || !leavesOwnTrace(first)) return [];
  return pointsOf(single.passed)
    .filter(leavesOwnTrace)
    .map((point) => ({ scenario: single.scenario, wanted: [first, strikeAt(point, 'dies')] }));
}

/** How reports name strikes. */
export const namesOf = (wanted: readonly Struck[]): string[] =>
  wanted.map((struck) => `${struck.strike} ${nameOf(struck)}`);

/** Of singles, the first of each name that is not among the seen ones. */
export function firstOfEachName(singles: readonly Plan[], seen: ReadonlySet<string>): Plan[] {
  const first = new Map<string, Plan>();
  for (const single of singles)
    for (const name of namesOf(single.wanted))
      if (!seen.has(name) && !first.has(name)) first.set(name, single);
  return [...first.values()];
}

/** Plays plans on all lanes at once. @param next gives the next one; undefined: there are none just now */
export async function playAll(
  lanes: readonly Lane[],
  next: () => Plan | undefined,
  done: (played: Played) => void,
  sabotage?: Sabotage,
): Promise<void> {
  const work = async (lane: Lane): Promise<void> => {
    for (let plan = next(); plan; plan = next()) done(await play(lane, plan.scenario, plan.wanted, sabotage));
  };
  await Promise.all(lanes.map(work));
}
