import type { Counts } from './counts.ts';
import type { Step } from './steps.ts';

export interface StepResult {
  step: Step;
  counts: Counts;
  seconds: number;
}

interface Announce {
  started(step: Step): void;
  ended(result: StepResult): void;
}

/**
 * Runs lanes of steps side by side, in each one step after the other, then those that run alone. A step waits for the
 * steps it needs, wherever they run, and counts as one failure where one of those failed; needed steps that are not
 * among the given ones are taken as done.
 * @returns the results in the order of the given steps
 */
export async function runLanes(
  lanes: readonly (readonly Step[])[],
  alone: readonly Step[],
  announce: Announce,
): Promise<StepResult[]> {
  const steps = [...lanes.flat(), ...alone];
  const outcomes = new Map(steps.map((step) => [step.name, Promise.withResolvers<StepResult>()]));
  const ended: StepResult[] = [];
  const runStep = async (step: Step): Promise<void> => {
    const awaited = (step.needs ?? []).flatMap((name) => outcomes.get(name)?.promise ?? []);
    const needed = await Promise.all(awaited);
    const missing = needed.find((result) => result.counts.failed > 0);
    const startedAt = Date.now();
    if (!missing) announce.started(step);
    const counts = missing
      ? { passed: 0, failed: 1, note: `needs ${missing.step.name}` }
      : await step.run(ended.flatMap((result) => result.counts.passedTests ?? []));
    const result = { step, counts, seconds: (Date.now() - startedAt) / 1000 };
    ended.push(result);
    announce.ended(result);
    outcomes.get(step.name)?.resolve(result);
  };
  const runLane = async (lane: readonly Step[]): Promise<void> => {
    for (const step of lane) await runStep(step);
  };
  await Promise.all(lanes.map(runLane));
  await runLane(alone);
  return Promise.all(steps.map((step) => outcomes.get(step.name)!.promise));
}
