import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999, '999 ms'],
  [1000, '1.0 s'],
  [12_400, '12 s'],
  [59_499, '59 s'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [11_400_000, '3 h 10 min'],
  [90_000_000, '1 d 1 h'],
])('%d ms read as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text);
});
