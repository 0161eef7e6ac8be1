import { test as base } from 'vitest';

interface Stoppable {
  stop: () => Promise<void>;
}

/**
 * What the files of a process share because no test changes it for others: started when the first of them needs it, stopped
 * after the last.
 * @returns to be called by each of these files: has `use` called with it before the tests
 */
export function share<Thing extends Stoppable>(
  start: () => Promise<Thing>,
): (use: (thing: Thing) => unknown) => void {
  const test = base.extend('thing', { scope: 'worker' }, async ({}, { onCleanup }) => {
    const thing = await start();
    onCleanup(thing.stop);
    return thing;
  });
  return (use) => test.beforeAll(async ({ thing }) => void (await use(thing)));
}
