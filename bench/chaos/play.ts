// One chaos run: faults one after another, in an order derived from the seed, while webhooks arrive.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#lib/testing/random.ts';
import { check, countDoubledSends, type Verdict } from './check.ts';
import type { Plan } from './plans.ts';
import { Product } from './product.ts';
import type { Sabotage } from './sabotages.ts';
import { findStandstills } from './standstills.ts';
import { Traffic } from './traffic.ts';

const PATIENCE_MS = 60_000;
const POLL_MS = 20;
const LONGEST_PAUSE_MS = 700;

export interface Recovery {
  kind: string;
  /** When the fault was over (`Date.now`). */
  at: number;
  /** From then until a later webhook was acknowledged and its run had ended. */
  newWorkMs: number;
  /** From then until all runs that were open at that time had ended; left out where clocks were wrong. */
  openWorkMs?: number;
}

export interface Played extends Verdict {
  refused: number;
  /** Processes of the product that outlived it. */
  orphans: number;
  recoveries: Recovery[];
}

export interface PlayOptions {
  seed: number;
  /** Gets each fault as it happens. */
  say?: ((line: string) => void) | undefined;
  /** An injected defect. */
  sabotage?: Sabotage | undefined;
}

/**
 * Ends early when a message was sent twice, which is always a defect.
 * @param folder for the database's files. Needs a build of the app.
 */
export async function playChaos(
  folder: string,
  plan: Plan,
  { seed, say = () => undefined, sabotage }: PlayOptions,
): Promise<Played> {
  const random = new Random(seed);
  const product = await Product.start(folder, { database: plan.database, sabotage });
  let orphans: number | undefined;
  try {
    const traffic = await Traffic.prepare(product);
    traffic.start();
    await untilWorkIsDone(traffic);
    const recoveries: Recovery[] = [];
    for (const kind of plan.order(random)) {
      await plan.causes[kind]?.(product, random, traffic);
      const at = Date.now();
      const newWorkMs = await untilWorkIsDone(traffic);
      recoveries.push({ kind, at, newWorkMs });
      say(`${kind}: ${newWorkMs} ms`);
      if ((await countDoubledSends(product)) > 0) break;
      await sleep(random.between(0, LONGEST_PAUSE_MS));
    }
    await traffic.stop();
    const verdict = await check(product, traffic);
    const standstills =
      plan.database === 'launched' ? await findStandstills(product.db.$client, recoveries) : [];
    orphans = await product.end();
    return {
      ...verdict,
      orphans,
      refused: traffic.refused,
      recoveries: recoveries.map((recovery, index) => {
        const openWorkMs = standstills[index];
        return openWorkMs === undefined ? recovery : { ...recovery, openWorkMs };
      }),
    };
  } finally {
    if (orphans === undefined) await product.end();
  }
}

/** Waits until an operation that starts now has completed. @returns the duration in milliseconds */
async function untilWorkIsDone(traffic: Traffic): Promise<number> {
  const since = Date.now();
  for (const deadline = since + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS))
    if (await traffic.hasWorkedSince(since).catch(() => false)) break;
  return Date.now() - since;
}
