// Measures several systems in alternation, so that other load of the machine affects all of them.
import { type Load, measure, type Measurement, medianOf } from './measure.ts';
import { round } from './round.ts';
import type { System } from './system.ts';

export interface Compared {
  system: string;
  /** The spread of each figure over the rounds. */
  median: Measurement;
  rounds: Measurement[];
}

/** One cell of a table: the load, and the result of each system. */
export interface Cell<Name> {
  cell: Name;
  systems: Compared[];
}

/** Measures every cell with every system, once in each round; the order of the systems rotates with the rounds. */
export async function alternate<Name>(
  systems: readonly System[],
  cells: readonly { cell: Name; title: string; load: Load }[],
  rounds: number,
  say: (line: string) => void,
): Promise<Cell<Name>[]> {
  const found = cells.map(() => new Map<string, Measurement[]>(systems.map(({ name }) => [name, []])));
  for (let number = 0; number < rounds; number += 1) {
    for (const [index, { title, load }] of cells.entries()) {
      for (const system of number % 2 === 0 ? systems : systems.toReversed()) {
        const measured = round(await measure(system, load));
        found[index]?.get(system.name)?.push(measured);
        say(describe(`${number + 1}/${rounds} ${title}, ${system.name}`, measured));
      }
    }
  }
  return cells.map(({ cell }, index) => ({
    cell,
    systems: [...(found[index] ?? [])].map(([system, measured]) => ({
      system,
      median: round(medianOf(measured)),
      rounds: measured,
    })),
  }));
}

function describe(name: string, measured: Measurement): string {
  const parts = Object.entries(measured.microseconds).map(([part, value]) => `${part} ${value.toFixed(0)}`);
  const { requestsPerSecond, executedPerSecond, p50Ms, p99Ms, errors, left, coresOfOthers } = measured;
  return (
    `${name.padEnd(56)} ${requestsPerSecond.toFixed(0).padStart(6)} req/s ${executedPerSecond.toFixed(0).padStart(6)} executed/s  ` +
    `p50 ${p50Ms.toFixed(2)} p99 ${p99Ms.toFixed(2)} ms  µs: ${parts.join(', ')}` +
    (errors + left > 0 ? `  ERRORS ${errors}, NOT EXECUTED ${left}` : '') +
    (coresOfOthers > 0.1 ? `  (others used ${coresOfOthers.toFixed(1)} cores)` : '')
  );
}
