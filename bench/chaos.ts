// `npm run chaos -- --seconds 120 --seed 7`: every kind of fault, one after another, under load; `npm run chaos -- --plan
// kills`: kills only, many of them; `--plan conversations`: customers who answer while processes are killed; `--plan customers`:
// holds and stops that change in the meantime; `--plan lists --rows 100000 --rate 1000`: a list of recipients (see bench/README.md);
// `--sabotage record` injects a defect that has to be found (chaos/sabotages.ts). Exits with an error unless every invariant held and,
// after many kills, work resumed in time, and lists kept their pace without kills.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { isProvenConversations, playConversations } from './chaos/conversations/play.ts';
import { summarizeConversations, toConversationLines } from './chaos/conversations/report.ts';
import {
  isProvenCustomers,
  playCustomers,
  summarizeCustomers,
  toCustomerLines,
} from './chaos/customers/play.ts';
import { isProvenLists, keepsPace, playLists, summarizeLists, toListLines } from './chaos/lists/play.ts';
import { ALL_KILLS, everything, kills } from './chaos/plans.ts';
import { playChaos } from './chaos/play.ts';
import { describeMachine } from './machine.ts';
import { isProven, recoversInTime, summarize, toTable } from './chaos/report.ts';
import { CUSTOMER_SABOTAGES, LIST_SABOTAGES, type Sabotage, SABOTAGES } from './chaos/sabotages.ts';
import { onStop } from './on-stop.ts';

/** Of the list without kills. */
const QUIET_SECONDS = 10;
/** Longest time between two kills of a list; of a short one a fifth of its time. */
const LONGEST_PAUSE_MS = 12_000;

const { values } = parseArgs({
  options: {
    plan: { type: 'string', default: 'everything' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '1000' },
    rows: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '1000' },
    only: { type: 'string', default: '' },
    sabotage: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = Number(values.seed);
const sabotage = values.sabotage === undefined ? undefined : findSabotage(values.sabotage);

await buildIfNeeded(root, say, new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), 'patchbay-chaos-'));
chmodSync(folder, 0o711);
onStop(() => rmSync(folder, { recursive: true, force: true }));
const watch = values.verbose ? say : undefined;
const { isGood, figures, lines } = await play();
if (isGood) rmSync(folder, { recursive: true, force: true });
else say(`What the processes printed is in ${folder}`);
if (sabotage === undefined) keep(figures);
for (const line of lines) say(line);
process.exitCode = isGood ? 0 : 1;

function keep(figures: object): void {
  mkdirSync(join(root, 'bench', 'results'), { recursive: true });
  writeFileSync(
    join(root, 'bench', 'results', `chaos-${values.plan}.json`),
    `${JSON.stringify({ plan: values.plan, seed, machine: describeMachine(), ...figures }, null, 2)}\n`,
  );
}

function findSabotage(name: string): Sabotage {
  const plans: Record<string, Record<string, Sabotage>> = {
    customers: CUSTOMER_SABOTAGES,
    lists: LIST_SABOTAGES,
  };
  const all = plans[values.plan] ?? SABOTAGES;
  const found = Object.entries(all).find(([known]) => known === name);
  if (found) return found[1];
  say(`There is no sabotage "${name}". Use one of ${Object.keys(all).join(', ')}.`);
  process.exit(1);
}

interface Outcome {
  isGood: boolean;
  figures: object;
  lines: string[];
}

function play(): Promise<Outcome> {
  if (values.plan === 'conversations') return converse();
  if (values.plan === 'lists') return sendList();
  return values.plan === 'customers' ? holdAndStop() : breakEverything();
}

async function sendList(): Promise<Outcome> {
  const [rows, perSecond] = [Number(values.rows), Number(values.rate)];
  const pauseMs = Math.min(LONGEST_PAUSE_MS, (rows / perSecond) * 200);
  const options = { rows, perSecond, pauseMs, quietSeconds: QUIET_SECONDS, seed, say: watch, sabotage };
  const played = await playLists(folder, options);
  return {
    isGood: isProvenLists(played) && keepsPace(played),
    figures: summarizeLists(played),
    lines: toListLines(played),
  };
}

async function holdAndStop(): Promise<Outcome> {
  const played = await playCustomers(folder, { seconds: Number(values.seconds), seed, say: watch, sabotage });
  return {
    isGood: isProvenCustomers(played),
    figures: summarizeCustomers(played),
    lines: toCustomerLines(played),
  };
}

async function converse(): Promise<Outcome> {
  const options = { count: Number(values.count), seed, ...(watch ? { say: watch } : {}) };
  const played = await playConversations(folder, options);
  return {
    isGood: isProvenConversations(played),
    figures: summarizeConversations(played),
    lines: toConversationLines(played),
  };
}

async function breakEverything(): Promise<Outcome> {
  const plan = values.plan === 'kills' ? kills(ALL_KILLS) : everything(Number(values.seconds), values.only);
  const played = await playChaos(folder, plan, { seed, say: watch, sabotage });
  const isGood = isProven(played) && (values.plan !== 'kills' || recoversInTime(played));
  return { isGood, figures: summarize(played), lines: toTable(played) };
}
