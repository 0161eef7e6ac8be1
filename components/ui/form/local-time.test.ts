import { expect, test } from 'vitest';
import { readEndOfDay, readLocalInput, toLocalInput } from './local-time.ts';

test('an instant is shown to the minute; what an address holds instead of one is shown as nothing', () => {
  expect(toLocalInput('2030-01-31T23:34:56.789Z', 'Europe/Berlin')).toBe('2030-02-01T00:34');
  for (const text of ["'", '', 'yesterday', '2030-02-31T25:00:00Z'])
    expect(toLocalInput(text, 'Europe/Berlin')).toBe('');
});

test.each([
  ['2030-02-01T00:34', 'Europe/Berlin', '2030-01-31T23:34:00.000Z'],
  ['2030-07-01T00:34', 'Europe/Berlin', '2030-06-30T22:34:00.000Z'],
  // Its clock skips this time.
  ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // Its clock has this time twice.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-01-01T06:30', 'Asia/Kolkata', '2026-01-01T01:00:00.000Z'],
  ['', 'UTC', undefined],
  ['2026-01-32T06:30', 'UTC', undefined],
])('%s in %s is %s', async (value, zone, at) => {
  expect(await readLocalInput(value, zone)).toBe(at);
});

test('a day ends where the next one begins in its zone', async () => {
  expect(await readEndOfDay('2026-12-31', 'America/New_York')).toBe('2027-01-01T05:00:00.000Z');
  for (const text of ['', '12/31/2026', '2026-1-1', '2026-02-30'])
    expect(await readEndOfDay(text, 'UTC')).toBeUndefined();
});
