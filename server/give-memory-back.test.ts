import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test, vi } from 'vitest';
import { collect, createLook } from './give-memory-back.ts';

test('a process gives memory back once after its start and each busy time, when it is quiet and nobody calls', () => {
  const rest = vi.fn();
  const look = createLook(rest);
  for (const [utilization, callers, times] of [
    [0.07, 0, 0],
    [0.01, 0, 1],
    [0.01, 0, 1],
    [0.6, 900, 1],
    [0.07, 0, 1],
    [0.01, 1, 1],
    [0.01, 0, 2],
    [0.01, 0, 2],
    [0.2, 0, 2],
    [0, 0, 3],
  ] as const) {
    look(utilization, callers);
    expect(rest).toHaveBeenCalledTimes(times);
  }
});

const megabytesOfNewObjects = (): number =>
  (getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? NaN) /
  2 ** 20;

test('the room of new objects is given back', async () => {
  let kept: object[] = [];
  for (let round = 0; megabytesOfNewObjects() < 16 && round < 1000; round += 1)
    kept = Array.from({ length: 20_000 }, (_, index) => ({ round, index, text: `${index}` }));
  expect(kept.length).toBeLessThanOrEqual(20_000);
  expect(megabytesOfNewObjects()).toBeGreaterThanOrEqual(16);
  kept = [];
  collect();
  await vi.waitFor(() => expect(megabytesOfNewObjects()).toBeLessThan(8), { timeout: 60_000, interval: 100 });
});
