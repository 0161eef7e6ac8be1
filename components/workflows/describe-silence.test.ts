import { expect, test } from 'vitest';
import { describeSilence } from './silence-badge.tsx';

const words = (silentSeconds: number, usualSeconds: number): string =>
  Object.values(describeSilence({ sinceAt: '', silentSeconds, usualSeconds })).join(', ');

test('names the silence and the rhythm', () => {
  expect(words(3 * 86_400, 600)).toBe('Silent for 3 days, usually every 10 minutes');
  expect(words(3700, 1)).toBe('Silent for 1 hour, usually several times a minute');
  expect(words(20 * 3600, 60)).toBe('Silent for 20 hours, usually every minute');
  expect(words(9 * 86_400, 86_000)).toBe('Silent for 9 days, usually every day');
});
