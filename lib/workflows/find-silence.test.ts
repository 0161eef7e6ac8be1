import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSilence } from './silences.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Friday 2026-05-08, 18:00 UTC. */
const LAST = Date.UTC(2026, 4, 8, 18);

const every = (step: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => LAST - index * step);
const silent = (ms: number, events: readonly number[]) =>
  findSilence(LAST + ms, events.slice(0, 100), events);

test('three days without an event, usually every ten minutes', () => {
  expect(silent(3 * DAY, every(10 * MINUTE, 2000))).toEqual({
    sinceAt: '2026-05-08T18:00:00.000Z',
    silentSeconds: 3 * 86_400,
    usualSeconds: 600,
  });
});

describe('what is usual is no alarm', () => {
  const office = every(10 * MINUTE, 2100).filter((at) => {
    const date = new Date(at);
    return date.getUTCHours() >= 8 && date.getUTCHours() <= 18 && date.getUTCDay() % 6 !== 0;
  });

  test('nights and weekends of a shop that works on weekdays; but a week is one', () => {
    expect(silent(14 * HOUR, office)).toBeNull();
    expect(silent(62 * HOUR, office)).toBeNull();
    expect(silent(90 * HOUR, office)).toBeNull();
    expect(silent(7 * DAY, office)).not.toBeNull();
  });

  test('less than an hour, and workflows with few events', () => {
    expect(silent(59 * MINUTE, every(1000, 2000))).toBeNull();
    expect(silent(2 * HOUR, every(1000, 2000))).not.toBeNull();
    expect(silent(10 * DAY, every(MINUTE, 9))).toBeNull();
    expect(silent(10 * DAY, [])).toBeNull();
  });

  test('one earlier silence does not hide the next one', () => {
    const before = every(10 * MINUTE, 900).map((at) => (at < LAST - DAY ? at - 3 * DAY : at));
    expect(silent(2 * DAY, before)).not.toBeNull();
  });
});

const rhythm = fc
  .array(fc.integer({ min: 1, max: 12 * HOUR }), { minLength: 10, maxLength: 300 })
  .map((gaps) => gaps.reduce((events, gap) => [...events, (events.at(-1) ?? LAST) - gap], [LAST]));

test('a silence continues: who is silent now is so later, and who is not was not before', () => {
  fc.assert(
    fc.property(rhythm, fc.nat(30 * DAY), fc.nat(30 * DAY), (events, first, more) => {
      if (silent(first, events)) expect(silent(first + more, events)).not.toBeNull();
    }),
  );
});

test('never before one and a half times the second longest pause, always after that of the longest', () => {
  fc.assert(
    fc.property(rhythm, fc.nat(3 * DAY), (events, ms) => {
      const known = events.filter((at) => at >= LAST - 14 * DAY);
      if (known.length < 10) return;
      const pauses = known
        .slice(1)
        .map((at, index) => (known[index] ?? at) - at)
        .sort((a, b) => b - a);
      const [longest = 0, second = 0] = pauses;
      const found = findSilence(LAST + ms, events.slice(0, 100), events);
      if (ms <= Math.max(HOUR - 1, 1.5 * second)) expect(found).toBeNull();
      if (ms > Math.max(HOUR, 1.5 * longest)) expect(found).not.toBeNull();
    }),
  );
});

test('leaving events out makes it more patient, never less', () => {
  fc.assert(
    fc.property(rhythm, fc.integer({ min: 2, max: 10 }), fc.nat(5 * DAY), (events, nth, ms) => {
      const thinned = events.filter((_, index) => index % nth === 0);
      fc.pre(events.length < 30 && thinned.length >= 10);
      if (findSilence(LAST + ms, [LAST], thinned))
        expect(findSilence(LAST + ms, [LAST], events)).not.toBeNull();
    }),
  );
});
