import { expect, test } from 'vitest';
import { groupRows } from './group-rows.ts';

const ROWS = [
  { id: 1, of: null },
  { id: 2, of: 'a' },
  { id: 3, of: 'b' },
  { id: 4, of: null },
  { id: 5, of: 'a' },
  { id: 6, of: 'a' },
];

const idsOf = (groups: ReturnType<typeof groupRows<(typeof ROWS)[number]>>) =>
  groups.map(({ key, rows }) => [key, rows.map(({ id }) => id)]);

test('rows of one key are gathered where the first of them is; one alone stays a row', () => {
  expect(idsOf(groupRows(ROWS, ({ of }) => of))).toEqual([
    [null, [1]],
    ['a', [2, 5, 6]],
    [null, [3]],
    [null, [4]],
  ]);
});

test('without keys each row stays as it is', () => {
  expect(idsOf(groupRows(ROWS))).toEqual(ROWS.map(({ id }) => [null, [id]]));
});
