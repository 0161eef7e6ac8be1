// `npm run bench:customers`: ten million messages of a million customers, and how long the screens and the API take to find them.
// BENCH_MESSAGES (10000000), BENCH_CALLS (100) and BENCH_ONLY (part of a case's name) make it shorter.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listCases, readSamples } from './customers/cases.ts';
import { type Figures, measure } from './customers/measure.ts';
import { startFilledProduct } from './customers/start-filled.ts';
import { describeMachine } from './machine.ts';

const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 10_000_000);
const CALLS = Number(process.env['BENCH_CALLS'] ?? 100);
const ONLY = process.env['BENCH_ONLY'] ?? '';
const BUDGET_MS = 300;
const root = new URL('..', import.meta.url).pathname;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const product = await startFilledProduct(MESSAGES, say);
try {
  const samples = await readSamples(product.pool, product.workspaceId);
  const figures: Record<string, Figures> = {};
  say(
    `${'milliseconds'.padEnd(60)}${['first', 'p50', 'p99', 'slowest'].map((name) => name.padStart(9)).join('')}`,
  );
  for (const each of listCases(samples)) {
    if (!each.name.includes(ONLY)) continue;
    const took = await measure(each, { ...product, calls: CALLS });
    figures[each.name] = took;
    say(toRow(each.name, took));
  }
  const isWhole = MESSAGES >= 10_000_000 && CALLS >= 100 && ONLY === '';
  const file = isWhole ? 'customers.json' : 'local-customers.json';
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  const written = {
    at: new Date().toISOString(),
    machine: describeMachine(),
    messages: MESSAGES,
    milliseconds: figures,
  };
  writeFileSync(join(root, 'bench/results', file), `${JSON.stringify(written, null, 2)}\n`);
  say(`written to bench/results/${file}`);
  if (Object.values(figures).some(({ p99 }) => p99 > BUDGET_MS)) process.exitCode = 1;
} finally {
  await product.stop();
}

function toRow(name: string, { first, p50, p99, slowest }: Figures): string {
  const cells = [first, p50, p99, slowest].map((ms) => ms.toFixed(1).padStart(9)).join('');
  return `${name.padEnd(60)}${cells}${p99 > BUDGET_MS ? '  over the budget' : ''}`;
}
