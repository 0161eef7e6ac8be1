// The product's processes are killed one after another, and restarted in turn in the middle, while webhooks arrive.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#lib/testing/random.ts';
import { check, type Verdict } from '../chaos/check.ts';
import { prepareWorkflows } from '../chaos/workflows.ts';
import type { AppProcess } from './app-process.ts';
import { Load } from './load.ts';
import { World } from './world.ts';

const BEAT_MS = 10_000;
const CALM_MS = 3000;
/** Delay of a service manager before it restarts a process. */
const RESTART_AFTER_MS = 200;

export interface Kills extends Verdict {
  requests: number;
  /** Number of kills of each process. */
  killed: Record<string, number>;
  /** Processes that were stopped and started one after another in the middle. */
  restarted: number;
  /** Requests whose first attempt was not acknowledged. */
  failedOnce: number;
  /** Requests whose retry was not acknowledged either. */
  failedTwice: number;
  /** Processes that ended without being killed or stopped. */
  ended: number;
}

/** @param folder for data and logs. Needs a build of the app, and the programs listed in ops/ha/README.md. */
export async function playKills(
  folder: string,
  { seconds, seed, isPooled }: { seconds: number; seed: number; isPooled: boolean },
): Promise<Kills> {
  const world = await World.start(folder, isPooled);
  try {
    const load = new Load(await prepareWorkflows(world.calls));
    load.start();
    await sleep(CALM_MS);
    const killed: Record<string, number> = {};
    const underWay: Promise<void>[] = [];
    /** Failures are reported at the end. */
    const keep = (work: Promise<void>): true => {
      work.catch(() => undefined);
      underWay.push(work);
      return true;
    };
    let restarting: true | undefined;
    const random = new Random(seed);
    const startedAt = Date.now();
    for (let beat = 1; beat * BEAT_MS <= seconds * 1000; beat += 1) {
      await sleep(startedAt + beat * BEAT_MS - Date.now());
      if (beat * BEAT_MS >= (seconds * 1000) / 2) restarting ??= keep(restartInTurn(world.apps));
      const app = random.pick(world.apps.filter((candidate) => mayBeKilled(candidate, world.apps)));
      killed[app.name] = (killed[app.name] ?? 0) + 1;
      keep(killAndRestart(app));
    }
    await Promise.all(underWay);
    await sleep(CALM_MS);
    await load.stop();
    const failedTwice = load.uncured.length;
    return {
      ...(await check(world, load)),
      requests: load.attempts.length,
      killed,
      restarted: restarting ? world.apps.length : 0,
      failedOnce: load.attempts.filter(({ isAcknowledged }) => !isAcknowledged).length - failedTwice,
      failedTwice,
      ended: world.apps.reduce((sum, { unexpectedEnds }) => sum + unexpectedEnds, 0),
    };
  } finally {
    await world.end();
  }
}

/** One fault at a time: a process is killed while the other one of its kind serves. */
function mayBeKilled(app: AppProcess, all: readonly AppProcess[]): boolean {
  const kind = app.name.split('-')[0] ?? '';
  return all.filter(({ name }) => name.startsWith(kind)).every(({ isReady }) => isReady);
}

async function killAndRestart(app: AppProcess): Promise<void> {
  await app.end('SIGKILL');
  await sleep(RESTART_AFTER_MS);
  await app.start();
}

async function restartInTurn(apps: readonly AppProcess[]): Promise<void> {
  for (const app of apps) {
    while (!apps.every(({ isReady }) => isReady)) await sleep(50);
    await app.end('SIGTERM');
    await app.start();
  }
}
