// `npm run chaos -- --seconds 120 --seed 7`: everything that can go wrong, one after another, under load;
// `npm run chaos -- --plan kills`: kills only, very many (see bench/README.md). It ends with an error unless every invariant
// held and, after many kills, work continued in time.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { ALL_KILLS, everything, kills } from './chaos/plans.ts';
import { playChaos } from './chaos/play.ts';
import { describeMachine } from './machine.ts';
import { isProven, recoversInTime, summarize, toTable } from './chaos/report.ts';

const { values } = parseArgs({
  options: {
    plan: { type: 'string', default: 'everything' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const plan = values.plan === 'kills' ? kills(ALL_KILLS) : everything(Number(values.seconds), values.only);

await buildIfNeeded(root, say, new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-chaos-'));
chmodSync(folder, 0o711);
const played = await playChaos(folder, plan, seed, values.verbose ? say : undefined);
const isGood = isProven(played) && (values.plan !== 'kills' || recoversInTime(played));
if (isGood) rmSync(folder, { recursive: true, force: true });
else say(`What the processes printed is in ${folder}`);
const summary = { plan: values.plan, seed, machine: describeMachine(), ...summarize(played) };
mkdirSync(join(root, 'bench', 'results'), { recursive: true });
writeFileSync(
  join(root, 'bench', 'results', `chaos-${values.plan}.json`),
  `${JSON.stringify(summary, null, 2)}\n`,
);
for (const line of toTable(played)) say(line);
process.exitCode = isGood ? 0 : 1;
