// Ticks are compared with two independent libraries: cron-parser, apart from days on which the clock changes, where their rules
// differ (docs/decisions/schedules.md), and Temporal for these.
import { CronExpressionParser } from 'cron-parser';
import * as fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { findCronProblem, latestTick, listTicks, localParts, nextTick } from './cron.ts';

const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Africa/Casablanca',
];
const FIRST = Temporal.PlainDate.from('2025-01-01');
const AFTER = Temporal.PlainDate.from('2037-01-01');

/** Every change of a zone's clock in these years. */
function changesOf(zone: string): Temporal.ZonedDateTime[] {
  const changes: Temporal.ZonedDateTime[] = [];
  let at: Temporal.ZonedDateTime | null = FIRST.toZonedDateTime(zone);
  for (;;) {
    at = at.getTimeZoneTransition('next');
    if (!at || Temporal.PlainDate.compare(at.toPlainDate(), AFTER) >= 0) return changes;
    changes.push(at);
  }
}

/**
 * The instants of a local time on each day of these years. Temporal takes long for each, and only days beside a change of the clock
 * are not 24 hours after the previous one.
 */
function dailyInstants(time: string, zone: string): string[] {
  const besideChange = new Set(
    changesOf(zone).flatMap((change) =>
      [-1, 0, 1].map((days) => change.toPlainDate().add({ days }).toString()),
    ),
  );
  const instants: string[] = [];
  for (let day = FIRST; Temporal.PlainDate.compare(day, AFTER) < 0; day = day.add({ days: 1 })) {
    const before = instants.at(-1);
    instants.push(
      before === undefined || besideChange.has(day.toString())
        ? instantOf(day, time, zone)
        : new Date(Date.parse(before) + DAY_MS).toISOString(),
    );
  }
  return instants;
}

/** The instant of a local time: of one that comes twice the first, for one that the clock skips the end of the gap. */
function instantOf(day: Temporal.PlainDate, time: string, zone: string): string {
  const at = day.toZonedDateTime({ timeZone: zone, plainTime: time });
  const isSkipped = at.toPlainTime().toString({ smallestUnit: 'minute' }) !== time;
  const found = isSkipped ? at.getTimeZoneTransition('previous') : at;
  return new Date(found?.epochMilliseconds ?? NaN).toISOString();
}

const iso = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString());

const numbers = (min: number, max: number) => fc.integer({ min, max }).map(String);
const minutes = fc.oneof(numbers(0, 59), fc.constantFrom('*/5', '*/20', '0,30', '10-40/10'));
const hours = fc.oneof(numbers(0, 23), fc.constantFrom('*', '*/6', '8-18', '9,17'));
const days = fc.oneof(fc.constant('*'), numbers(1, 28), fc.constantFrom('1,15', '*/10', '31'));
const months = fc.oneof(fc.constant('*'), fc.constantFrom('1', '3,9', '*/2', 'JAN-MAR'));
const weekdays = fc.oneof(fc.constant('*'), fc.constantFrom('1-5', '0', '7', 'MON,WED', '6'));
const crons = fc
  .tuple(minutes, hours, days, months, weekdays)
  .map((parts) => parts.join(' '))
  .filter((cron) => findCronProblem(cron) === undefined);
const instants = fc
  .integer({ min: Date.parse('2025-01-01') / 60_000, max: Date.parse('2036-12-01') / 60_000 })
  .map((minute) => new Date(minute * 60_000));
const DAY_MS = 86_400_000;

describe.each(ZONES)('in %s', (zone) => {
  test.each(['02:30', '01:45', '00:00', '09:00'])(
    'a daily time, %s, comes once a day for 12 years',
    (time) => {
      const [hour, minute] = time.split(':').map(Number);
      const expected = dailyInstants(time, zone);
      const start = new Date(FIRST.toZonedDateTime(zone).epochMilliseconds - 1);
      expect(iso(listTicks(`${minute} ${hour} * * *`, zone, start, expected.length))).toEqual(expected);
    },
  );

  test('every 15 minutes comes in every quarter of an hour, also while the clock changes', () => {
    for (const change of changesOf(zone)) {
      const from = change.subtract({ hours: 5 }).round({ smallestUnit: 'hour', roundingMode: 'floor' });
      const startMs = from.epochMilliseconds;
      const expected = Array.from({ length: 40 }, (_, index) => new Date(startMs + (index + 1) * 900_000));
      expect(iso(listTicks('*/15 * * * *', zone, new Date(startMs), 40))).toEqual(iso(expected));
    }
  });

  const changes = changesOf(zone).map(({ epochMilliseconds }) => epochMilliseconds);

  test('times only increase, and the latest one is the one before now', () => {
    const near = fc
      .tuple(
        fc.constantFrom(...(changes.length > 0 ? changes : [Date.parse('2026-01-01')])),
        fc.integer({ min: -2000, max: 2000 }),
      )
      .map(([at, minute]) => new Date(at + minute * 60_000));
    fc.assert(
      fc.property(
        crons,
        fc.oneof(instants, near),
        fc.integer({ min: 0, max: 3000 }),
        (cron, after, waits) => {
          const ticks = listTicks(cron, zone, after, 30);
          ticks.forEach((tick, index) => expect(tick > (ticks[index - 1] ?? after)).toBe(true));
          const [first] = ticks;
          if (!first) return;
          const now = new Date(first.getTime() + waits * 60_000);
          const passed = ticks.filter((tick) => tick <= now);
          if (passed.length < ticks.length)
            expect(latestTick(cron, zone, { first, now })).toEqual(passed.at(-1));
        },
      ),
      { numRuns: 100 },
    );
  });
});

// cron-parser does not get past some changes of half an hour.
test.each(ZONES.filter((zone) => zone !== 'Australia/Lord_Howe'))(
  'the next times in %s are those of cron-parser',
  (zone) => {
    const changes = changesOf(zone).map(({ epochMilliseconds }) => epochMilliseconds);
    let compared = 0;
    fc.assert(
      fc.property(crons, instants, (cron, after) => {
        const ticks = listTicks(cron, zone, after, 3);
        const other = CronExpressionParser.parse(cron, { tz: zone, currentDate: after });
        const others = ticks.map(() => other.next().toDate());
        const isNearChange = changes.some((at) =>
          [after, ...ticks, ...others].some((each) => Math.abs(each.getTime() - at) < DAY_MS * 2),
        );
        fc.pre(!isNearChange);
        expect(iso(ticks)).toEqual(iso(others));
        compared += 1;
      }),
      { numRuns: 200 },
    );
    expect(compared).toBe(200);
  },
);

test('the latest of a year of minutes is found at once', () => {
  const first = new Date('2026-01-01T00:00:00Z');
  const now = new Date('2027-01-01T00:00:30Z');
  expect(latestTick('* * * * *', 'UTC', { first, now })).toEqual(new Date('2027-01-01T00:00:00Z'));
  expect(latestTick('0 9 * * 1-5', 'UTC', { first: new Date('2026-01-01T09:00:00Z'), now })).toEqual(
    new Date('2026-12-31T09:00:00Z'),
  );
});

test.each([
  ['0 9 * * 1-5', undefined],
  [' 0  9 L * * ', undefined],
  ['0 9 * * MON#1', undefined],
  ['', /five parts/],
  ['@daily', /five parts/],
  ['0 0 9 * * *', /five parts/],
  ['61 9 * * *', /^"61" isn’t a valid minute\. Use \* or 0 to 59/],
  ['0 25 * * *', /^"25" isn’t a valid hour/],
  ['0 9 32 * *', /^"32" isn’t a valid day of the month/],
  ['0 9 * 13 *', /^"13" isn’t a valid month/],
  ['0 9 * * 8', /^"8" isn’t a valid day of the week/],
  ['0 9 * * fri-mon', /day of the week/],
  ['*/0 9 * * *', /minute/],
  ['0 0 30 2 *', /never happens/],
])('%o is checked', (cron, problem) => {
  if (problem) expect(findCronProblem(cron)).toMatch(problem);
  else expect(findCronProblem(cron)).toBeUndefined();
});

test('an unknown zone is refused', () => {
  expect(() => nextTick('0 9 * * *', 'Europe/Atlantis', new Date())).toThrow();
});

test('an instant is said in its zone', () => {
  expect(localParts(new Date('2026-11-30T23:30:00Z'), 'Europe/Berlin')).toEqual({
    date: '2026-12-01',
    time: '00:30',
    weekday: 'tuesday',
  });
});
