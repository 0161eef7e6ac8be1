// One play of chaos: faults one after another, each of them chosen by the seed, while webhooks come.
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '#lib/testing/random.ts';
import { check, type Verdict } from './check.ts';
import { FAULTS } from './faults.ts';
import { Product } from './product.ts';
import { Traffic } from './traffic.ts';

const PATIENCE_MS = 60_000;
const LONGEST_PAUSE_MS = 700;

export interface Played extends Verdict {
  refused: number;
  /** Milliseconds from the end of each fault until a run that began after it had ended, by kind. */
  recoveries: Map<string, number[]>;
}

/** @param folder for the database's files. Needs a build of the app. */
export async function playChaos(folder: string, seconds: number, seed: number): Promise<Played> {
  const random = new Random(seed);
  const product = await Product.start(folder);
  try {
    const traffic = await Traffic.prepare(product);
    traffic.start();
    await untilRunsEnd(product);
    const recoveries = new Map<string, number[]>();
    // Every kind comes once before any comes again.
    let left: string[] = [];
    for (const end = Date.now() + seconds * 1000; Date.now() < end;) {
      if (left.length === 0) left = Object.keys(FAULTS);
      const [kind] = left.splice(random.below(left.length), 1);
      if (kind === undefined) break;
      await FAULTS[kind]?.(product, random, traffic);
      recoveries.set(kind, [...(recoveries.get(kind) ?? []), await untilRunsEnd(product)]);
      await sleep(random.between(0, LONGEST_PAUSE_MS));
    }
    await traffic.stop();
    return { ...(await check(product, traffic.acknowledged)), refused: traffic.refused, recoveries };
  } finally {
    await product.end();
  }
}

/** Waits for a run that begins from now on and ends. @returns how long that took, in milliseconds */
async function untilRunsEnd({ db }: Product): Promise<number> {
  const since = new Date();
  for (const deadline = since.getTime() + PATIENCE_MS; Date.now() < deadline; await sleep(20)) {
    const found = await db.$client
      .query('select 1 from runs where created_at > $1 and finished_at is not null limit 1', [since])
      .catch(() => undefined);
    if (found?.rows.length) return Date.now() - since.getTime();
  }
  return PATIENCE_MS;
}
