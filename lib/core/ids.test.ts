import { describe, expect, it } from 'vitest';
import { isId, newId } from '#lib/core/ids.ts';

describe('ids', () => {
  it('are unique and sort by the time they were made', () => {
    const ids = Array.from({ length: 5000 }, newId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every(isId)).toBe(true);
    expect(ids.toSorted()).toEqual(ids);
  });

  it.each(['', 'x', '00000000-0000-0000-0000-00000000000', "1'; drop table runs"])('%s is no id', (text) => {
    expect(isId(text)).toBe(false);
  });
});
