import { afterEach, expect, test, vi } from 'vitest';
import {
  formatDeadline,
  formatDuration,
  formatExactInstant,
  formatInstant,
  formatRelative,
} from './format.ts';

const AT = '2026-11-22T23:05:07.089Z';
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('an instant is written in a zone, wherever it is read, and with its name where wanted', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(formatInstant(AT, 'Asia/Kolkata')).toBe('Nov 23, 2026, 4:35 AM');
  expect(formatInstant(AT, 'UTC')).toBe('Nov 22, 2026, 11:05 PM');
  expect(formatInstant(AT, 'Europe/Berlin', { named: true })).toBe('Nov 23, 2026, 12:05 AM GMT+1');
});

test('the exact instant names its zone, and says it in UTC too', () => {
  expect(formatExactInstant(AT, 'America/New_York')).toBe(
    'Nov 22, 2026, 18:05:07.089 EST (2026-11-22T23:05:07.089Z)',
  );
  expect(formatExactInstant(AT, 'UTC')).toBe('Nov 22, 2026, 23:05:07.089 UTC');
});

test('however many instants a list shows, a style and zone has one formatter', () => {
  const Real = Intl.DateTimeFormat;
  const make = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (locale, options) {
    return new Real(locale, options);
  });
  for (let minute = 0; minute < 60; minute += 1) {
    const at = `2026-11-22T23:${String(minute).padStart(2, '0')}:00.000Z`;
    formatInstant(at, 'UTC');
    formatExactInstant(at, 'UTC');
    formatDeadline(at, 0, 'UTC');
  }
  expect(make.mock.calls.length).toBeLessThanOrEqual(4);
});

test('a deadline names today and tomorrow of its zone', () => {
  const at = (now: string) => formatDeadline(AT, Date.parse(now), 'UTC');
  expect(at('2026-11-22T23:05:00Z')).toBe('today, 11:05 PM');
  expect(at('2026-11-21T23:55:00Z')).toBe('tomorrow, 11:05 PM');
  expect(at('2026-11-20T23:55:00Z')).toBe('Nov 22, 2026, 11:05 PM');
  const berlin = formatDeadline(AT, Date.parse('2026-11-22T22:00:00Z'), 'Europe/Berlin', { named: true });
  expect(berlin).toBe('tomorrow, 12:05 AM GMT+1');
});

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
