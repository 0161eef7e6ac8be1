import { afterAll, beforeAll } from 'vitest';
import { type Databases, startDatabases } from './databases.ts';
import { type Plan, playAll } from './explore.ts';
import type { Sabotage } from './installation.ts';
import { type Lane, openLane } from './lane.ts';
import type { Played } from './play.ts';
import { watchCalls } from './watch-calls.ts';

const LANES = 6;

type PlayThem = (
  plans: readonly Plan[],
  sabotage?: Sabotage,
  isEnough?: (played: Played) => boolean,
) => Promise<Played[]>;

/**
 * Opens lanes, with a database each, for the tests of a file. @returns runs plans on all of them in parallel, until one meets
 * the condition (left out: all of them)
 */
export function useLanes(): PlayThem {
  let databases: Databases;
  let lanes: Lane[];
  let endWatching: () => void;
  beforeAll(async () => {
    databases = await startDatabases();
    endWatching = watchCalls();
    lanes = await Promise.all(Array.from({ length: LANES }, async () => openLane(await databases.make())));
  });
  afterAll(async () => {
    for (const lane of lanes) await lane.close();
    endWatching();
    await databases.end();
  });
  return async (plans, sabotage, isEnough = () => false) => {
    let at = 0;
    const all: Played[] = [];
    const next = (): Plan | undefined => (all.some(isEnough) ? undefined : plans[at++]);
    await playAll(lanes, next, (played) => all.push(played), sabotage);
    return all;
  };
}
