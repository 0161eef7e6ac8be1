import { expect, it } from 'vitest';
import { runLanes } from './run-lanes.ts';
import type { Step } from './steps.ts';

const log: string[] = [];
const silent = { started: () => undefined, ended: () => undefined };

/** A step that ends when its gate opens. */
function gatedStep(name: string, needs: string[] = [], failed = 0): Step & { open(): void } {
  const gate = Promise.withResolvers<void>();
  return {
    name,
    needs,
    open: gate.resolve,
    run: async (passed) => {
      log.push(`${name} after ${passed.map(({ file }) => file).join(' ') || 'nothing'}`);
      await gate.promise;
      return { passed: 1, failed, passedTests: [{ file: name, titles: [] }] };
    },
  };
}

it('runs lanes side by side, each in its order, and what runs alone after all of them', async () => {
  log.length = 0;
  const [types, pure, build, timed] = ['types', 'pure', 'build', 'timed'].map((name) => gatedStep(name));
  const done = runLanes([[types!, pure!], [build!]], [timed!], silent);
  await expect.poll(() => log).toEqual(['types after nothing', 'build after nothing']);
  types!.open();
  await expect.poll(() => log.at(-1)).toBe('pure after types');
  pure!.open();
  build!.open();
  await expect.poll(() => log.at(-1)).toBe('timed after types pure build');
  timed!.open();
  expect((await done).map(({ step }) => step.name)).toEqual(['types', 'pure', 'build', 'timed']);
});

it('starts a step when what it needs has ended in another lane', async () => {
  log.length = 0;
  const build = gatedStep('build');
  const e2e = gatedStep('e2e', ['build']);
  const done = runLanes([[build], [e2e]], [], silent);
  await expect.poll(() => log).toEqual(['build after nothing']);
  build.open();
  await expect.poll(() => log.at(-1)).toBe('e2e after build');
  e2e.open();
  await done;
});

it('counts a step as one failure where one that it needs has failed', async () => {
  const build = gatedStep('build', [], 1);
  build.open();
  const results = await runLanes([[build], [gatedStep('e2e', ['build'])]], [], silent);
  expect(results.map(({ counts }) => counts.note)).toEqual([undefined, 'needs build']);
  expect(results[1]?.counts.failed).toBe(1);
});

it('does not wait for a step that was not asked for', async () => {
  const e2e = gatedStep('e2e', ['build']);
  e2e.open();
  expect((await runLanes([[e2e]], [], silent))[0]?.counts.failed).toBe(0);
});
