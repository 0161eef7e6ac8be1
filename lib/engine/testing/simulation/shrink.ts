import { faultsEndMs, makeSchedule, type Schedule } from './schedule.ts';
import { simulate, type SimulationOptions, type SimulationResult } from './simulate.ts';

export interface Failure {
  schedule: Schedule;
  violations: string[];
}

interface Seeds {
  first: number;
  count: number;
}

/** Runs the schedules of this many seeds. @returns the first that breaks an invariant, shrunk. */
export async function findFailure(
  seeds: Seeds,
  options: SimulationOptions = {},
  onPlayed?: (result: SimulationResult) => void,
): Promise<Failure | undefined> {
  const failure = await findFirstFailure(seeds, options, onPlayed);
  return failure && shrink(failure, options);
}

/** The same as it is. */
export async function findFirstFailure(
  seeds: Seeds,
  options: SimulationOptions = {},
  onPlayed: (result: SimulationResult) => void = () => undefined,
): Promise<Failure | undefined> {
  for (let seed = seeds.first; seed < seeds.first + seeds.count; seed += 1) {
    const schedule = (options.model?.makeSchedule ?? makeSchedule)(seed);
    const result = await simulate(schedule, options);
    onPlayed(result);
    if (result.violations.length > 0) return { schedule, violations: result.violations };
  }
  return undefined;
}

/** Removes faults, changes and webhooks while an invariant is still broken. */
async function shrink(failure: Failure, options: SimulationOptions): Promise<Failure> {
  let smallest = failure;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const schedule of smallerOnes(smallest.schedule)) {
      const { violations } = await simulate(schedule, options);
      if (violations.length === 0) continue;
      smallest = { schedule, violations };
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function* smallerOnes(schedule: Schedule): Generator<Schedule> {
  const without = <Item>(items: readonly Item[], index: number): Item[] =>
    items.filter((_, at) => at !== index);
  for (const index of schedule.faults.keys()) yield { ...schedule, faults: without(schedule.faults, index) };
  const { changes = [] } = schedule;
  for (const index of changes.keys()) yield { ...schedule, changes: without(changes, index) };
  for (const index of schedule.arrivals.keys())
    if (schedule.arrivals.length > 1) yield { ...schedule, arrivals: without(schedule.arrivals, index) };
}

/** The description of a failure for debugging. @param model name of the model, if it is not the engine alone */
export function describeFailure({ schedule, violations }: Failure, model?: string): string {
  const options = model === undefined ? '' : `--model ${model} `;
  return [
    `Seed ${schedule.seed} breaks an invariant. Play it again: npm run simulate -- ${options}--seed ${schedule.seed}`,
    ...violations.map((violation) => `  ${violation}`),
    `The smallest schedule that does (faults end after ${faultsEndMs(schedule)} ms):`,
    JSON.stringify(schedule),
  ].join('\n');
}
