import { describe, expect, test } from 'vitest';
import { findQuietEnd, type Quiet } from './quiet-hours.ts';

/** 23:00 in Berlin, 17:00 in New York, 03:30 in India, 22:00 UTC. */
const AT = Date.parse('2026-11-26T22:00:00Z');
const NIGHT = { from: '21:00', to: '08:00' };

const quiet = (more: Partial<Quiet>): Quiet => ({
  hours: NIGHT,
  zone: 'America/New_York',
  names: ['15550101002'],
  own: null,
  at: AT,
  ...more,
});
const ofBerlin = { zone: 'Europe/Berlin', until: new Date('2026-11-27T07:00:00Z') };
const ofIndia = { zone: 'Asia/Calcutta', until: new Date('2026-11-27T02:30:00Z') };

describe('the zone of a customer is', () => {
  test.each<[string, Partial<Quiet>, ReturnType<typeof findQuietEnd>]>([
    ['of the attribute', { own: 'Europe/Berlin' }, ofBerlin],
    ['of the attribute before the number', { own: 'America/New_York', names: ['4915112345678'] }, undefined],
    ['of the number, where the attribute is no zone', { own: 'Berlin', names: ['4915112345678'] }, ofBerlin],
    ['of the number', { names: ['919876543210'] }, ofIndia],
    ['of a user id', { names: ['DE.1349abc'] }, ofBerlin],
    ['of any name', { names: ['US.1349abc', '4915112345678'] }, ofBerlin],
    ['of the workspace, where the country has several', {}, undefined],
    [
      'of the workspace, for a user id of such a country',
      { names: ['US.1'], zone: 'Europe/Berlin' },
      ofBerlin,
    ],
    [
      'of the workspace, where the number is of no country',
      { names: ['999'], zone: 'Europe/Berlin' },
      ofBerlin,
    ],
  ])('%s', (_, more, end) => {
    expect(findQuietEnd(quiet(more))).toEqual(end);
  });
});
