// `npm run bench`: everything in one run on one machine, so that ratios are comparable (see bench/README.md).
import { loadavg } from 'node:os';
import { buildIfNeeded } from '../server/launcher/build.ts';
import { nodeRed } from './peers/node-red.ts';
import { measureChecks } from './webhooks/checks.ts';
import { measureGrowth } from './webhooks/growth.ts';
import { measureMemory } from './webhooks/memory.ts';
import { readOptions } from './webhooks/options.ts';
import { patchbay } from './webhooks/patchbay.ts';
import { type BenchResults, writeResults } from './webhooks/results.ts';
import { measureRows } from './webhooks/rows.ts';
import { measureSteps } from './webhooks/steps.ts';
import type { Contestant } from './webhooks/system.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const options = readOptions(process.argv.slice(2), process.env);
const { parts, compared } = options;
const contestants: Contestant[] = compared
  ? ['on', 'off'].map((value) => patchbay(`Patchbay, ${compared}=${value}`, () => ({ [compared]: value })))
  : [patchbay('Patchbay')];
const peers = options.withPeers ? [await nodeRed()] : [];
contestants.push(...peers);

await buildIfNeeded(new URL('..', import.meta.url).pathname, say, new AbortController().signal);
say(`load of the machine before the start: ${loadavg()[0]?.toFixed(2)}`);
const measured: BenchResults = {};
if (parts.has('rows')) measured.rows = await measureRows(peers, options, say);
if (parts.has('memory')) measured.memory = await measureMemory(contestants, options, say);
if (parts.has('steps')) measured.steps = await measureSteps(contestants, options, say);
if (parts.has('growth')) measured.growth = await measureGrowth(contestants, options, say);
if (parts.has('checks')) measured.checks = await measureChecks(options, say);
for (const file of writeResults(measured, options)) say(`written to ${file}`);
process.exit(0);
