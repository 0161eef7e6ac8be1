import { test as base } from 'vitest';

interface Stoppable {
  stop: () => Promise<void>;
}

/**
 * A resource that test files of a process share, because no test changes it for others: started with the first file, stopped
 * after the last. @returns called by each of these files: calls `use` with the resource before the tests
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
