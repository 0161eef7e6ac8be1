// The behavior of lru-cache that Patchbay relies on.
import { LRUCache } from 'lru-cache';
import { describe, expect, it } from 'vitest';

describe('remembered values', () => {
  it('are bounded by their count: the one not used for longest goes first', () => {
    const values = new LRUCache<string, number>({ max: 3 });
    values.set('a', 1).set('b', 2).set('c', 3);
    expect(values.get('a')).toBe(1);
    values.set('d', 4);
    expect(['a', 'b', 'c', 'd'].map((key) => values.get(key))).toEqual([1, undefined, 3, 4]);
  });

  it('are bounded by their size, and one that is too large on its own drives no other out', () => {
    const values = new LRUCache<string, number>({ max: 100, maxSize: 10 });
    values.set('a', 1, { size: 1 }).set('b', 2, { size: 8 });
    expect(values.size).toBe(2);
    values.set('c', 3, { size: 2 });
    expect([values.get('a'), values.get('b'), values.get('c')]).toEqual([undefined, 2, 3]);
    values.set('d', 4, { size: 11 });
    expect([values.get('d'), values.size]).toEqual([undefined, 2]);
  });

  it('set again or deleted are counted and measured once', () => {
    const values = new LRUCache<string, number>({ max: 100, maxSize: 4 });
    const size = 2;
    for (let turn = 0; turn < 5; turn += 1) values.set('a', turn, { size });
    values.set('b', 5, { size });
    expect([values.get('a'), values.get('b')]).toEqual([4, 5]);
    values.delete('a');
    values.delete('a');
    values.set('c', 6, { size });
    expect([values.get('a'), values.get('b'), values.get('c')]).toEqual([undefined, 5, 6]);
    values.set('d', 7, { size });
    expect(values.size).toBe(2);
  });
});
