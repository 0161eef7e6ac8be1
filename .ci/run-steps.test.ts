import { expect, it } from 'vitest';
import { runSteps } from './run-steps.ts';
import type { Step } from './steps.ts';

const silent = { started: () => undefined, ended: () => undefined };

/** Steps that end when the test releases them, and the order in which they started. */
function gatedSteps(...given: Partial<Step>[]) {
  const started: string[] = [];
  const passedBefore = new Map<string, string[]>();
  const gates = new Map(given.map(({ name = '' }) => [name, Promise.withResolvers<void>()]));
  const steps = given.map(({ name = '', seconds = 1, ...more }): Step => ({
    name,
    seconds,
    run: async (passed) => {
      started.push(name);
      passedBefore.set(
        name,
        passed.map(({ file }) => file),
      );
      await gates.get(name)?.promise;
      return { passed: 1, failed: 0, passedTests: [{ file: name, titles: [] }] };
    },
    ...more,
  }));
  return { steps, started, passedBefore, open: (name: string) => gates.get(name)?.resolve() };
}

it('runs two steps at a time, first those after which most is left to do', async () => {
  const { steps, started, open } = gatedSteps(
    { name: 'types', seconds: 5 },
    { name: 'lint', seconds: 20 },
    { name: 'pure', seconds: 40 },
    { name: 'build', seconds: 30 },
    { name: 'e2e', seconds: 60, needs: ['build'] },
  );
  const done = runSteps(steps, silent);
  expect(started).toEqual(['build', 'pure']);
  open('pure');
  await expect.poll(() => started).toEqual(['build', 'pure', 'lint']);
  open('build');
  await expect.poll(() => started.at(-1)).toBe('e2e');
  open('lint');
  await expect.poll(() => started.at(-1)).toBe('types');
  for (const name of ['types', 'e2e']) open(name);
  expect((await done).map(({ step }) => step.name)).toEqual(['types', 'lint', 'pure', 'build', 'e2e']);
});

it('runs a third step beside one that waits for most of its time', async () => {
  const { steps, started, open } = gatedSteps(
    { name: 'paced', seconds: 90, waits: true },
    { name: 'e2e', seconds: 60 },
    { name: 'pure', seconds: 40 },
    { name: 'lint', seconds: 20 },
  );
  const done = runSteps(steps, silent);
  expect(started).toEqual(['paced', 'e2e', 'pure']);
  open('paced');
  open('pure');
  await expect.poll(() => started).toEqual(['paced', 'e2e', 'pure', 'lint']);
  for (const name of ['e2e', 'lint']) open(name);
  await done;
});

it('runs what measures after everything else, one at a time, and gives it the tests that passed', async () => {
  const { steps, started, passedBefore, open } = gatedSteps(
    { name: 'timed', alone: true, seconds: 90 },
    { name: 'rules', alone: true, seconds: 100, needs: ['pure', 'timed'] },
    { name: 'pure', seconds: 5 },
    { name: 'types', seconds: 5 },
  );
  const done = runSteps(steps, silent);
  open('types');
  expect(started).toEqual(['pure', 'types']);
  open('pure');
  await expect.poll(() => started.at(-1)).toBe('timed');
  open('timed');
  open('rules');
  await done;
  expect(passedBefore.get('rules')?.toSorted()).toEqual(['pure', 'timed', 'types']);
});

it('counts a step as one failure where one that it needs has failed', async () => {
  const build: Step = { name: 'build', seconds: 1, run: async () => ({ passed: 0, failed: 1 }) };
  const { steps, started } = gatedSteps(
    { name: 'e2e', needs: ['build'] },
    { name: 'report', needs: ['e2e'] },
  );
  const results = await runSteps([build, ...steps], silent);
  expect(results.map(({ counts }) => counts.note)).toEqual([undefined, 'needs build', 'needs e2e']);
  expect(results[1]?.counts.failed).toBe(1);
  expect(started).toEqual([]);
});

it('does not wait for a step that was not asked for', async () => {
  const { steps, open } = gatedSteps({ name: 'e2e', needs: ['build'] });
  open('e2e');
  expect((await runSteps(steps, silent))[0]?.counts.failed).toBe(0);
});
