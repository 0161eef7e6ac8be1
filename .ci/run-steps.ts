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
 * On two cores, which two steps keep busy, as each of the long ones has several processes; with three, each waits for the
 * others. A step that waits for most of its time counts as half of one.
 */
const AT_ONCE = 2;

/**
 * Runs steps, two at a time and one more beside a step that waits: of those that can start, the one with the most remaining
 * work after it. Steps that run alone come last, one after the other. A step waits for the steps it needs, and counts as one
 * failure where one of those failed; needed steps that are not among the given ones count as done.
 * @returns the results in the order of the given steps
 */
export async function runSteps(steps: readonly Step[], announce: Announce): Promise<StepResult[]> {
  const results = new Map<string, StepResult>();
  const waiting = new Set(steps);
  const running = new Map<string, Promise<void>>();
  const needsOf = (step: Step): string[] =>
    (step.needs ?? []).filter((name) => steps.some((each) => each.name === name));

  const secondsLeft = (step: Step): number => {
    const later = steps.filter((each) => needsOf(each).includes(step.name));
    return step.seconds + Math.max(0, ...later.map(secondsLeft));
  };
  const findNext = (): Step | undefined => {
    const isAloneTurn = [...waiting].every(({ alone }) => alone);
    const busy = steps
      .filter(({ name }) => running.has(name))
      .reduce((sum, { waits }) => sum + (waits ? 0.5 : 1), 0);
    if (isAloneTurn ? running.size > 0 : busy >= AT_ONCE) return undefined;
    return [...waiting]
      .filter(({ alone = false }) => alone === isAloneTurn)
      .filter((step) => needsOf(step).every((name) => results.has(name)))
      .toSorted((a, b) => secondsLeft(b) - secondsLeft(a))[0];
  };
  const end = (step: Step, counts: Counts, startedAt: number): void => {
    const result = { step, counts, seconds: (Date.now() - startedAt) / 1000 };
    results.set(step.name, result);
    announce.ended(result);
  };
  const start = (step: Step): void => {
    waiting.delete(step);
    const startedAt = Date.now();
    const missing = needsOf(step).find((name) => results.get(name)!.counts.failed > 0);
    if (missing) return end(step, { passed: 0, failed: 1, note: `needs ${missing}` }, startedAt);
    announce.started(step);
    const passed = [...results.values()].flatMap(({ counts }) => counts.passedTests ?? []);
    const ended = step.run(passed).then((counts) => {
      running.delete(step.name);
      end(step, counts, startedAt);
    });
    running.set(step.name, ended);
  };

  for (;;) {
    for (let next = findNext(); next; next = findNext()) start(next);
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return steps.map(({ name }) => results.get(name)!);
}
