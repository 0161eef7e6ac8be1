import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  boundsOfDay,
  type Calendar,
  findDailyEnd,
  findNext,
  findOpening,
  isDay,
  isOpen,
  localTime,
  type Span,
  zoneOfCountry,
} from './hours.ts';
import { isZone, toLocal } from './zones.ts';

/** Both hemispheres, a half hour of summer time, a zone without it, and one far from UTC. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'Pacific/Apia',
  'UTC',
];
const HOUR_MS = 3_600_000;

const zones = fc.constantFrom(...ZONES);
const times = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(
    (minute) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  );
const spans = fc.record({ from: times, to: times });
const instants = fc
  .date({ min: new Date('2024-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((at) => new Date(Math.floor(at.getTime() / 60_000) * 60_000));
/** Around the changes of the clocks of the zones. */
const changes = fc
  .tuple(
    fc.constantFrom(
      '2026-03-29T01:00Z',
      '2026-10-25T01:00Z',
      '2026-03-08T07:00Z',
      '2026-11-01T06:00Z',
      '2026-04-04T15:00Z',
      '2026-10-03T15:30Z',
    ),
    fc.integer({ min: -36 * 60, max: 36 * 60 }),
  )
  .map(([change, minutes]) => new Date(Date.parse(change) + minutes * 60_000));
const anyTime = fc.oneof(instants, changes);

/** Of an independent implementation: the zone's data of ICU. */
function clockOf(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);
}
const offsetOf = (at: Date, zone: string): string | undefined =>
  new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
const isPlainTime = (at: Date, zone: string): boolean =>
  [-48, -24, 24, 48].every(
    (hours) => offsetOf(new Date(at.getTime() + hours * HOUR_MS), zone) === offsetOf(at, zone),
  );
const isWithin = ({ from, to }: Span, time: string): boolean =>
  from < to ? from <= time && time < to : time >= from || time < to;

describe('daily hours', () => {
  test('far from a change of the clocks they are those of the local time', () => {
    fc.assert(
      fc.property(spans, zones, instants, (span, zone, at) => {
        fc.pre(isPlainTime(at, zone));
        const end = findDailyEnd(span, zone, at);
        expect(end !== undefined).toBe(isWithin(span, clockOf(at, zone)));
        if (end) expect(clockOf(end, zone)).toBe(span.to);
      }),
    );
  });

  test('always end later, within 25 hours, and are over then unless the next ones begin', () => {
    fc.assert(
      fc.property(spans, zones, anyTime, (span, zone, at) => {
        const end = findDailyEnd(span, zone, at);
        if (!end) return;
        expect(end.getTime()).toBeGreaterThan(at.getTime());
        expect(end.getTime() - at.getTime()).toBeLessThanOrEqual(25 * HOUR_MS);
        const next = findDailyEnd(span, zone, end);
        if (next) expect(span.from === span.to || clockOf(end, zone) >= span.from).toBe(true);
      }),
    );
  });

  test.each([
    // The night is an hour shorter, and an hour longer.
    ['2026-03-28T22:00:00Z', { from: '21:00', to: '08:00' }, '2026-03-29T06:00:00.000Z'],
    ['2026-10-24T20:00:00Z', { from: '21:00', to: '08:00' }, '2026-10-25T07:00:00.000Z'],
    // 02:30 does not exist: it is 03:30 then.
    ['2026-03-29T00:30:00Z', { from: '21:00', to: '02:30' }, '2026-03-29T01:30:00.000Z'],
    // It comes twice: the first counts.
    ['2026-10-25T00:15:00Z', { from: '21:00', to: '02:30' }, '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T00:45:00Z', { from: '21:00', to: '02:30' }, undefined],
    ['2026-10-25T01:15:00Z', { from: '21:00', to: '02:30' }, undefined],
  ])('in Berlin at %s, of %j, end at %s', (at, span, end) => {
    expect(findDailyEnd(span, 'Europe/Berlin', new Date(at))?.toISOString()).toBe(end);
  });
});

const SHOP: Calendar = {
  week: {
    monday: [
      { from: '09:00', to: '12:00' },
      { from: '14:00', to: '18:00' },
    ],
    friday: [{ from: '18:00', to: '02:00' }],
    sunday: [{ from: '02:00', to: '03:00' }],
  },
  holidays: ['2026-11-30'],
};

describe('a calendar', () => {
  test.each([
    ['2026-11-23T07:59:59.999Z', false],
    ['2026-11-23T08:00:00Z', true],
    ['2026-11-23T11:00:00Z', false],
    ['2026-11-23T13:00:00Z', true],
    // Friday night, until Saturday at two.
    ['2026-11-28T00:59:00Z', true],
    ['2026-11-28T01:00:00Z', false],
    // A Monday that is a holiday.
    ['2026-11-30T09:00:00Z', false],
    // An hour that the clock skips.
    ['2026-03-29T01:00:00Z', false],
  ])('at %s open: %s', (at, expected) => {
    expect(isOpen(SHOP, 'Europe/Berlin', new Date(at))).toBe(expected);
  });

  test.each([
    ['2026-11-23T11:30:00Z', '2026-11-23T13:00:00.000Z'],
    ['2026-11-23T13:30:00Z', '2026-11-23T13:30:00.000Z'],
    ['2026-11-24T00:00:00Z', '2026-11-27T17:00:00.000Z'],
    // Not on the holiday, but on Friday of the next week.
    ['2026-11-29T12:00:00Z', '2026-12-04T17:00:00.000Z'],
  ])('after %s it opens at %s', (at, opening) => {
    expect(findOpening(SHOP, 'Europe/Berlin', new Date(at))?.toISOString()).toBe(opening);
  });

  test('that never opens has no opening', () => {
    expect(findOpening({ week: {}, holidays: [] }, 'UTC', new Date())).toBeUndefined();
  });

  test('is open at each opening, and was closed before it', () => {
    fc.assert(
      fc.property(zones, anyTime, (zone, at) => {
        const opening = findOpening(SHOP, zone, at);
        expect(opening && isOpen(SHOP, zone, opening)).toBe(true);
        if (opening && opening > at) expect(isOpen(SHOP, zone, new Date(opening.getTime() - 1))).toBe(false);
      }),
    );
  });
});

test('a time of day comes within a week, with this local time where it exists', () => {
  fc.assert(
    fc.property(times, zones, anyTime, (time, zone, at) => {
      const next = findNext({ time, weekdays: ['tuesday'] }, zone, at);
      expect(next.getTime()).toBeGreaterThan(at.getTime());
      expect(next.getTime() - at.getTime()).toBeLessThanOrEqual((7 * 24 + 1) * HOUR_MS);
      if (isPlainTime(next, zone)) expect(clockOf(next, zone)).toBe(time);
      const weekday = new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'long' }).format(next);
      expect(weekday).toBe('Tuesday');
      expect(localTime(next, zone)).toBe(clockOf(next, zone));
    }),
  );
});

test('the local time of a text is that of hours', () => {
  fc.assert(
    fc.property(zones, anyTime, (zone, at) => {
      const local = toLocal(at, zone).toISOString();
      expect(local.slice(11, 16)).toBe(localTime(at, zone));
      const [day] = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' })
        .format(at)
        .split(' ');
      expect(local.slice(0, 10)).toBe(day);
    }),
  );
});

test.each([
  ['Europe/Berlin', true],
  ['UTC', true],
  ['+01:00', false],
  ['Berlin', false],
  ['', false],
])('%j is a zone: %s', (text, expected) => {
  expect(isZone(text)).toBe(expected);
});

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2026-2-8', false],
  ['today', false],
])('%j is a day: %s', (text, expected) => {
  expect(isDay(text)).toBe(expected);
});

test.each([
  ['DE', 'Europe/Berlin'],
  ['IN', 'Asia/Calcutta'],
  ['US', undefined],
  ['ES', undefined],
  ['ZZ', undefined],
  ['Germany', undefined],
])('the zone of %s is %s', (country, zone) => {
  expect(zoneOfCountry(country, new Date('2026-11-26T12:00:00Z'))).toBe(zone);
});

test('a day begins at midnight, or where the clock skips that, later', () => {
  fc.assert(
    fc.property(zones, anyTime, (zone, at) => {
      const day = toLocal(at, zone).toISOString().slice(0, 10);
      const { start, end } = boundsOfDay(day, zone);
      expect(start <= at && at < end).toBe(true);
      if (isPlainTime(start, zone)) expect(clockOf(start, zone)).toBe('00:00');
    }),
  );
  const { start, end } = boundsOfDay('2026-03-29', 'Europe/Berlin');
  expect((end.getTime() - start.getTime()) / HOUR_MS).toBe(23);
  expect(boundsOfDay('2026-09-06', 'America/Santiago').start.toISOString()).toBe('2026-09-06T04:00:00.000Z');
});
