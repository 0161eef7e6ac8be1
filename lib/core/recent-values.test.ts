import { describe, expect, it } from 'vitest';
import { RecentValues } from '#lib/core/recent-values.ts';

describe('recent values', () => {
  it('are bounded by their count: the one not used for longest goes first', () => {
    const values = new RecentValues<number>({ maxCount: 3 });
    values.keep('a', 1);
    values.keep('b', 2);
    values.keep('c', 3);
    expect(values.find('a')).toBe(1);
    values.keep('d', 4);
    expect(['a', 'b', 'c', 'd'].map((key) => values.find(key))).toEqual([1, undefined, 3, 4]);
  });

  it('are bounded by their weight, and one that weighs too much by itself drives no other out', () => {
    const values = new RecentValues<number>({ maxCount: 100, maxWeight: 10, weigh: (key) => key.length });
    values.keep('a', 1);
    values.keep('12345678', 2);
    expect(values.count).toBe(2);
    values.keep('bc', 3);
    expect([values.find('a'), values.find('12345678'), values.find('bc')]).toEqual([undefined, 2, 3]);
    values.keep('12345678901', 4);
    expect([values.find('12345678901'), values.count]).toEqual([undefined, 2]);
  });

  it('kept again or forgotten are counted and weighed once', () => {
    const values = new RecentValues<number>({ maxCount: 100, maxWeight: 4, weigh: (key) => key.length });
    for (let turn = 0; turn < 5; turn += 1) values.keep('ab', turn);
    values.keep('cd', 5);
    expect([values.find('ab'), values.find('cd')]).toEqual([4, 5]);
    values.forget('ab');
    values.forget('ab');
    values.keep('ef', 6);
    expect([values.find('ab'), values.find('cd'), values.find('ef')]).toEqual([undefined, 5, 6]);
    values.keep('gh', 7);
    expect(values.count).toBe(2);
  });
});
