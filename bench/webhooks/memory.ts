// The memory of each product: after its start, and under the load of a flow of five tasks.
import { setTimeout as wait } from 'node:timers/promises';
import { listProcesses } from '#lib/testing/process-list.ts';
import { driveFast } from '../load.ts';
import { FIVE_TASKS } from '../workflows.ts';
import type { BenchOptions } from './options.ts';
import type { Contestant, System } from './system.ts';

const SETTLE_MS = 10_000;
const SAMPLE_MS = 500;
const CONNECTIONS = 32;
const MEGABYTE = 1024 * 1024;

/** Proportional set size in MB, by process. */
type Megabytes = Record<string, number>;

export interface MemoryResult {
  system: string;
  idle: Megabytes;
  /** The sample with the largest sum. */
  underLoad: Megabytes;
}

/** Starts the products one after the other, so that none shares its memory with a running one. */
export async function measureMemory(
  contestants: readonly Contestant[],
  { seconds }: BenchOptions,
  say: (line: string) => void,
): Promise<MemoryResult[]> {
  const results: MemoryResult[] = [];
  for (const contestant of contestants) {
    const system = await contestant.start({ five: { graph: FIVE_TASKS } });
    try {
      await wait(SETTLE_MS);
      const idle = weigh(system);
      const underLoad = await weighUnderLoad(system, seconds);
      results.push({ system: system.name, idle, underLoad });
      say(`${system.name}: ${describe(idle)} idle; ${describe(underLoad)} under load`);
    } finally {
      await system.stop();
    }
  }
  return results;
}

async function weighUnderLoad(system: System, seconds: number): Promise<Megabytes> {
  let isDriven = true;
  const load = driveFast(system.urlsOf('five'), CONNECTIONS, seconds).finally(() => (isDriven = false));
  let heaviest = weigh(system);
  while (isDriven) {
    await wait(SAMPLE_MS);
    const sample = weigh(system);
    if (sumOf(sample) > sumOf(heaviest)) heaviest = sample;
  }
  await load;
  await system.settle();
  return heaviest;
}

function weigh(system: System): Megabytes {
  const processes = listProcesses();
  return Object.fromEntries(
    Object.entries(system.parts).map(([part, { pid: root }]) => {
      const family = processes.filter(({ pid, ancestors }) => pid === root || ancestors.includes(root));
      const bytes = family.reduce((sum, { proportionalBytes }) => sum + proportionalBytes, 0);
      return [part, Math.round(bytes / MEGABYTE)];
    }),
  );
}

export const sumOf = (megabytes: Megabytes): number =>
  Object.values(megabytes).reduce((sum, value) => sum + value, 0);

const describe = (megabytes: Megabytes): string =>
  `${sumOf(megabytes)} MB (${Object.entries(megabytes)
    .map(([part, value]) => `${part} ${value}`)
    .join(', ')})`;
