import { describe, expect, it } from 'vitest';
import { WeightGate } from './body-work.ts';

/** Work that is in progress until the test ends it. */
function startWork(gate: WeightGate, weight: number, begun: number[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = async () => {
    using _turn = await gate.enter(weight);
    begun.push(weight);
    return await promise;
  };
  const result = work();
  return { result, end: async () => (resolve('done'), result), fail: () => reject(new Error('failed')) };
}

/** Returns its argument after all work that can start has started. */
async function whenAllWaits<Value>(value: Value): Promise<Value> {
  await new Promise((resolve) => setImmediate(resolve));
  return value;
}

describe('weight gate', () => {
  it('begins what fits, and the rest as room is made, the lighter first', async () => {
    const gate = new WeightGate(1_000_000);
    const begun: number[] = [];
    const first = startWork(gate, 600_000, begun);
    const second = startWork(gate, 300_000, begun);
    const others = [900_000, 500_000, 200_000].map((weight) => startWork(gate, weight, begun));
    expect(await whenAllWaits(begun)).toEqual([600_000, 300_000]);
    await second.end();
    expect(await whenAllWaits(begun)).toEqual([600_000, 300_000, 200_000]);
    await first.end();
    expect(await whenAllWaits(begun)).toEqual([600_000, 300_000, 200_000, 500_000]);
    expect(await others[1]?.end()).toBe('done');
    await others[2]?.end();
    expect(await whenAllWaits(begun)).toEqual([600_000, 300_000, 200_000, 500_000, 900_000]);
  });

  it('what is heavier than the capacity has it alone', async () => {
    const gate = new WeightGate(1_000_000);
    const begun: number[] = [];
    const light = startWork(gate, 1, begun);
    const heavy = startWork(gate, 5_000_000, begun);
    expect(await whenAllWaits(begun)).toEqual([1]);
    await light.end();
    expect(await whenAllWaits(begun)).toEqual([1, 5_000_000]);
    const next = startWork(gate, 1, begun);
    expect(await whenAllWaits(begun)).toHaveLength(2);
    await heavy.end();
    expect(await whenAllWaits(begun)).toEqual([1, 5_000_000, 1]);
    await next.end();
  });

  it('the light do not keep the heavy out for ever', async () => {
    const gate = new WeightGate(20_000);
    const begun: number[] = [];
    let light = startWork(gate, 1, begun);
    const heavy = startWork(gate, 20_000, begun);
    for (let turn = 0; !begun.includes(20_000); turn += 1) {
      expect(turn).toBeLessThan(100_000);
      const next = startWork(gate, 1, begun);
      await light.end();
      light = next;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await heavy.end();
    await light.end();
  });

  it('work that fails makes room', async () => {
    const gate = new WeightGate(10);
    const begun: number[] = [];
    const failing = startWork(gate, 10, begun);
    const waiting = startWork(gate, 10, begun);
    failing.fail();
    await expect(failing.result).rejects.toThrow('failed');
    expect(await whenAllWaits(begun)).toEqual([10, 10]);
    await waiting.end();
  });
});
