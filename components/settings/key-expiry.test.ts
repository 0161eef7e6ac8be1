import { expect, test } from 'vitest';
import { toExpiresAt } from './create-key-dialog.tsx';

const NOW = new Date('2026-03-01T10:00:00.000Z');

test('days count from now, and never is no instant', () => {
  expect(toExpiresAt('30', '', NOW)).toBe('2026-03-31T10:00:00.000Z');
  expect(toExpiresAt('never', '2026-04-01', NOW)).toBeNull();
});

test('a key works through the whole of its last day, where its reader is', () => {
  expect(toExpiresAt('date', '2026-12-31', NOW)).toBe(new Date(2027, 0, 1).toISOString());
  for (const text of ['', '12/31/2026', '2026-1-1']) expect(toExpiresAt('date', text, NOW)).toBeUndefined();
});
