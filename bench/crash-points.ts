// `npm run crash-points`: tests all crash points, and two after each other (see bench/README.md). `--scenario part of a name` runs
// some, `--plan 'dies worker: after take_runs #1'` one of their plans, `--setting NAME=value` with other settings, `--pairs all`
// all pairs, `--pairs 500 --seed 7` a sample of them, `--strikes dies` only some, `--part 1/2` half of the points by their names, `--lanes 6`
// the number of parallel plays. Exits with an error unless all invariants held.
import { parseArgs } from 'node:util';
import { Random } from '#lib/testing/random.ts';
import { Account } from './crash-points/account.ts';
import { startDatabases } from './crash-points/databases.ts';
import {
  firstOfEachPair,
  isOfPart,
  pairsOf,
  type Plan,
  playAll,
  singlesOf,
  STRIKES,
} from './crash-points/explore.ts';
import { openLane } from './crash-points/lane.ts';
import { describeStruck, type Strike } from './crash-points/point.ts';
import { SCENARIOS } from './crash-points/scenarios/all.ts';
import { watchCalls } from './crash-points/watch-calls.ts';

/** Minimum share of runs that succeed, so that invariants do not hold only because everything fails. */
const SUCCEEDED_SHARE = 0.6;
const SAY_EVERY_MS = 30_000;

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    plan: { type: 'string' },
    setting: { type: 'string', multiple: true, default: [] },
    strikes: { type: 'string', default: STRIKES.join() },
    pairs: { type: 'string', default: 'names' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '6' },
    part: { type: 'string', default: '1/1' },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const settings: Record<string, string> = {};
for (const each of values.setting) settings[each.replace(/=.*/s, '')] = each.replace(/^[^=]*=?/, '');
const strikes = STRIKES.filter((strike) => values.strikes.split(',').includes(strike)) satisfies Strike[];
const random = new Random(Number(values.seed));
const wants = ({ wanted }: Plan): boolean =>
  values.plan === undefined || describeStruck(wanted) === values.plan;
const leadsTo = ({ wanted }: Plan): boolean => values.plan?.startsWith(describeStruck(wanted)) ?? true;

const databases = await startDatabases();
const endWatching = watchCalls();
const lanes = await Promise.all(
  Array.from({ length: Number(values.lanes) }, async () => openLane(await databases.make(), settings)),
);
const account = new Account();
const startedMs = performance.now();
let saidMs = startedMs;

/** Runs some plans. @param then returns further plans, to be run afterwards */
async function playThem(plans: readonly Plan[], then: (played: Parameters<Account['add']>[0]) => Plan[]) {
  let at = 0;
  const further: Plan[] = [];
  await playAll(
    lanes,
    () => plans[at++],
    (played) => {
      const { length } = account.broken;
      account.add(played);
      if (account.broken.length > length) say(account.broken.at(-1) ?? '');
      further.push(...then(played));
      if (performance.now() - saidMs < SAY_EVERY_MS) return;
      saidMs = performance.now();
      say(`  ${at} of ${plans.length}: ${account.describe()}`);
    },
  );
  return further;
}

const [part = 1, parts = 1] = values.part.split('/').map(Number);
const scenarios = SCENARIOS.filter(({ name }) => name.includes(values.scenario));
const singles = await playThem(
  scenarios.map((scenario) => ({ scenario, wanted: [] })),
  (base) => singlesOf(base, strikes).filter((plan) => leadsTo(plan) && isOfPart(plan, part, parts)),
);
say(`${scenarios.length} scenarios, ${singles.length} strikes at single points`);
const pairs = await playThem(singles, (single) => pairsOf(single).filter(wants));
const chosen = choosePairs(values.plan === undefined ? values.pairs : 'all');
say(`${chosen.length} of ${pairs.length} pairs`);
await playThem(chosen, () => []);

for (const lane of lanes) await lane.close();
endWatching();
await databases.end();
for (const name of account.unreached) say(`never reached: ${name}`);
say(`${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${process.cpuUsage().user / 1e6} s of a core`);
say(account.describe());
const isProof = account.runs > 0 && account.succeeded > account.runs * SUCCEEDED_SHARE;
process.exit(account.broken.length === 0 && isProof ? 0 : 1);

function choosePairs(which: string): readonly Plan[] {
  if (which === 'names') return firstOfEachPair(pairs);
  const share = which === 'all' ? 1 : Number(which) / pairs.length;
  return pairs.filter(() => random.chance(share));
}
