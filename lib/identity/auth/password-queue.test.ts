import { expect, test } from 'vitest';
import { PasswordQueue } from './sign-in-with-password.ts';

/** Runs all pending microtasks. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that the test ends, and that records its order of starting. */
function manualWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  return {
    begun,
    finishOne: async () => {
      await settle();
      ends.shift()?.();
      await settle();
    },
    work: (name: string) => () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
  };
}

test('places take turns: one that asks a lot does not keep another waiting', async () => {
  const queue = new PasswordQueue({ atATime: 1, perPlace: 10, total: 100 });
  const { begun, finishOne, work } = manualWork();
  for (let index = 0; index < 8; index += 1) void queue.run('flood', work(`flood ${index}`));
  void queue.run('other', work('other'));
  await finishOne();
  await finishOne();
  expect(begun).toEqual(['flood 0', 'flood 1', 'other']);
});

test('a place that has too many waiting is refused; another one is not', async () => {
  const queue = new PasswordQueue({ atATime: 1, perPlace: 2, total: 100 });
  const { begun, finishOne, work } = manualWork();
  for (let index = 0; index < 3; index += 1) void queue.run('flood', work('flood'));
  await expect(queue.run('flood', work('refused'))).rejects.toMatchObject({ code: 'rate_limited' });
  void queue.run('other', work('other'));
  for (let index = 0; index < 3; index += 1) await finishOne();
  expect(begun).toEqual(['flood', 'flood', 'other', 'flood']);
});

test('all that was asked for is done, also after work that failed', async () => {
  const queue = new PasswordQueue({ atATime: 2, perPlace: 50, total: 100 });
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      queue.run(`place ${index % 3}`, () =>
        index % 5 === 0 ? Promise.reject(new Error('no')) : Promise.resolve(index),
      ),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
});
