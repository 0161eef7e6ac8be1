import { expect, test } from 'vitest';
import { describe, toColumns } from './days-chart.tsx';

const REST = { answered: 0, median_answer_seconds: null, cost: null, unpriced: 0 };
const DAYS = [
  { key: '2026-11-25', label: '', accepted: 10, sent: 8, delivered: 7, read: 3, failed: 1, ...REST },
  { key: '2026-11-26', label: '', accepted: 0, sent: 0, delivered: 0, read: 0, failed: 0, ...REST },
];

test('the parts of a bar are on top of each other and as high as all accepted messages, the lowest drawn last', () => {
  const [days, ...parts] = toColumns(DAYS);
  expect(days).toEqual([0, 1]);
  expect(parts.map(([first]) => first)).toEqual([10, 9, 8, 7, 3]);
});

test('the picture in words has its days and the highest bar', () => {
  expect(describe(DAYS)).toBe(
    'Messages by day from Wed, Nov 25 to Thu, Nov 26. The most were accepted on Wed, Nov 25: 10, 7 of them delivered and 1 failed. The table has all numbers.',
  );
});
