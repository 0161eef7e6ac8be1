import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listProcesses, type ProcessFigures } from '#lib/testing/process-list.ts';

const MEGABYTE = 1024 * 1024;
const PARTS: [name: string, mention: RegExp][] = [
  ['shell', /keep-launcher\.sh/],
  ['web', /\.programs[^/]*\/web\.mjs/],
  ['worker', /\.programs[^/]*\/worker\.mjs/],
  ['sandbox', /\.programs[^/]*\/sandbox\//],
  ['launcher', /\.programs[^/]*\/start\.mjs/],
  ['keeper', /patchbay-keeper/],
  ['PostgreSQL', /postgres/],
  ['npm', /npm/],
];

export interface MemoryFigures {
  totalMegabytes: number;
  processes: number;
  /** By part of the product, in MB. */
  megabytes: Record<string, number>;
}

/** The memory (PSS) of npm and everything under it, and of the database in the data folder. */
export function measureMemory(npmPid: number, dataFolder: string): MemoryFigures {
  const database = Number(
    readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0],
  );
  const family = listProcesses().filter(({ pid, ancestors }) =>
    [npmPid, database].some((root) => pid === root || ancestors.includes(root)),
  );
  const sum = (processes: ProcessFigures[]) =>
    Math.round((processes.reduce((bytes, each) => bytes + each.proportionalBytes, 0) / MEGABYTE) * 10) / 10;
  const byPart = Map.groupBy(
    family,
    ({ command }) => PARTS.find(([, mention]) => mention.test(command))?.[0],
  );
  return {
    totalMegabytes: sum(family),
    processes: family.length,
    megabytes: Object.fromEntries([...byPart].map(([part, processes]) => [part ?? 'other', sum(processes)])),
  };
}
