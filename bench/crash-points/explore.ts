// Tests the points of all scenarios, alone and in pairs. The points after a fault are found by executing them.
import { createHash } from 'node:crypto';
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

/** Each point once, in the order of its first occurrence. */
const pointsOf = (passed: readonly Point[]): Point[] => [
  ...new Map(passed.map((point) => [describePoint(point), point])).values(),
];

const strikeAt = (point: Point, strike: Strike): Struck => ({ ...point, strike });

/** Every point of a play without faults, tested alone. A web process holds no runs that others could take over. */
export const singlesOf = (base: Played, strikes: readonly Strike[]): Plan[] =>
  pointsOf(base.passed).flatMap((point) =>
    strikes
      .filter((strike) => strike === 'dies' || strike === 'breaks' || point.kind === 'worker')
      .map((strike) => ({ scenario: base.scenario, wanted: [strikeAt(point, strike)] })),
  );

/** Whether a crash leaves another state than one at the previous point: after a change, and around a call. */
export const leavesOwnTrace = ({ effect, place }: Point): boolean =>
  effect === 'calls' || (effect === 'writes' && place === 'after');

export const isOfWeb = ({ wanted }: Plan): boolean => wanted[0]?.kind === 'web';

/** After a crash at a point with its own state, a second one at every such point that follows. */
export function pairsOf(single: Played): Plan[] {
  const [first] = single.wanted;
  if (single.struck !== 1 || single.wanted.length !== 1) return [];
  if (first?.strike !== 'dies' || !leavesOwnTrace(first)) return [];
  return pointsOf(single.passed)
    .filter(leavesOwnTrace)
    .map((point) => ({ scenario: single.scenario, wanted: [first, strikeAt(point, 'dies')] }));
}

/** Names of faults in reports. */
export const namesOf = (wanted: readonly Struck[]): string[] =>
  wanted.map((struck) => `${struck.strike} ${nameOf(struck)}`);

/**
 * Divides plans into parts of about the same size, which are the same in each process; what has the same names stays together.
 * @param part from 1
 */
export function isOfPart({ scenario, wanted }: Plan, part: number, parts: number): boolean {
  const name = `${scenario.name}: ${namesOf(wanted).join()}`;
  return createHash('sha256').update(name).digest().readUInt32BE() % parts === part - 1;
}

/** The first single of each name that was not tested yet. */
export function firstOfEachName(singles: readonly Plan[], seen: ReadonlySet<string>): Plan[] {
  const first = new Map<string, Plan>();
  for (const single of singles)
    for (const name of namesOf(single.wanted))
      if (!seen.has(name) && !first.has(name)) first.set(name, single);
  return [...first.values()];
}

/** The first pair of each two names in each scenario: later occurrences of an operation seldom find another state. */
export const firstOfEachPair = (pairs: readonly Plan[]): Plan[] => [
  ...new Map(
    pairs.toReversed().map((pair) => [`${pair.scenario.name}: ${namesOf(pair.wanted).join()}`, pair]),
  ).values(),
];

/** Runs plans on all lanes in parallel. @param next returns the next one; undefined: there is none at the moment */
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
