import { expect, test } from 'vitest';
import { formatDuration } from './format-duration.ts';
import { maskNumbersIn } from './format-numbers.ts';

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

test.each([
  ['Sent to 4915112340101.', 'Sent to ••••0101.'],
  ['"recipient": "+15550100123"', '"recipient": "••••0123"'],
  // Ids of ours, digits of decimals and short numbers are nobody's phone.
  ['run 0193a1b2-1111-7222-8333-123456789012', 'run 0193a1b2-1111-7222-8333-123456789012'],
  ['wamid.1234567890', 'wamid.1234567890'],
  ['order 12345', 'order 12345'],
])("customers' numbers are masked in lists: %s", (text, masked) => {
  expect(maskNumbersIn(text)).toBe(masked);
});
