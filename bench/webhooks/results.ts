// Where the figures go: JSON and tables in bench/results, from complete runs; names of others begin with `local-` and are
// ignored by git.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Cell } from './alternate.ts';
import type { CheckCell } from './checks.ts';
import type { GrowthCell } from './growth.ts';
import type { MemoryResult } from './memory.ts';
import type { BenchOptions } from './options.ts';
import { round } from './round.ts';
import type { RowResults } from './rows.ts';
import type { StepsCell } from './steps.ts';
import { describeResults } from './tables.ts';

const folder = new URL('../results', import.meta.url).pathname;

export interface BenchResults {
  rows?: RowResults;
  steps?: Cell<StepsCell>[];
  growth?: Cell<GrowthCell>[];
  checks?: Cell<CheckCell>[];
  memory?: MemoryResult[];
}

/** Writes the figures. @returns the names of the files */
export function writeResults(measured: BenchResults, options: BenchOptions): string[] {
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const machine = {
    cores: cpus().length,
    model: cpus()[0]?.model,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  const { rows, ...further } = measured;
  const { seconds, roundSeconds, rounds } = options;
  const json = { at, machine, seconds, roundSeconds, rounds, ...rows, ...further };
  const files = {
    'webhooks.json': `${JSON.stringify(round(json), null, 2)}\n`,
    'webhooks.md': describeResults(measured, { at, machine, roundSeconds, rounds }),
  };
  return Object.entries(files).map(([name, content]) => {
    const file = options.isComplete ? name : `local-${name}`;
    writeFileSync(join(folder, file), content);
    return `bench/results/${file}`;
  });
}
