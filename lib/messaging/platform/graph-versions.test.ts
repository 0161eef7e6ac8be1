import { expect, test } from 'vitest';
import { judgeGraphVersion, NEWEST_VERSION } from './graph-versions.ts';

const on = (day: string) => new Date(`${day}T12:00:00Z`);

test.each([
  ['v18.0', '2025-09-01', 'available'],
  ['v18.0', '2025-12-01', 'ends_soon'],
  ['v18.0', '2026-01-27', 'ended'],
  ['v21.0', '2026-10-01', 'available'],
  ['v21.0', '2026-11-23', 'ends_soon'],
  ['v3.2', '2026-11-23', 'ended'],
  ['v99.0', '2026-11-23', 'unknown'],
])('%s on %s: %s', (version, day, state) => {
  expect(judgeGraphVersion(version, on(day)).state).toBe(state);
});

test('the newest version has no end yet', () => {
  expect(judgeGraphVersion(NEWEST_VERSION, on('2040-01-01'))).toEqual({ state: 'available', until: null });
});
