import { afterEach, expect, test, vi } from 'vitest';
import { formatExactInstant, formatInstant } from './format-instant.ts';

const AT = '2026-11-22T23:05:07.089Z';
afterEach(() => vi.unstubAllEnvs());

test('an instant is shown in the zone of who reads it', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata');
  expect(formatInstant(AT)).toBe('Nov 23, 2026, 4:35 AM');
  expect(formatInstant(AT, 'UTC')).toBe('Nov 22, 2026, 11:05 PM');
});

test('the exact instant names its zone, and says it in UTC too', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(formatExactInstant(AT)).toBe('Nov 22, 2026, 18:05:07.089 EST (2026-11-22T23:05:07.089Z)');
  expect(formatExactInstant(AT, 'UTC')).toBe('Nov 22, 2026, 23:05:07.089 UTC');
});
