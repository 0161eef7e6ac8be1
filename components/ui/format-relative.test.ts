import { expect, test } from 'vitest';
import { formatRelative } from './format-relative.ts';

const NOW = Date.UTC(2026, 0, 2);
const SECOND = 1000;

test.each([
  [-10, 'just now'],
  [10, 'in a moment'],
  [-50, '1 minute ago'],
  [-3599, '59 minutes ago'],
  [-3600, '1 hour ago'],
  [-86_400, 'yesterday'],
  [3 * 86_400, 'in 3 days'],
  [30 * 86_400 - 5, 'in 30 days'],
  [-2 * 86_400 + 5, 'yesterday'],
])('%d seconds from now is "%s"', (seconds, words) => {
  expect(formatRelative(NOW + seconds * SECOND, NOW)).toBe(words);
});
