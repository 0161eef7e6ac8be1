import { describe, expect, test } from 'vitest';
import { GraphUsage } from './settings.ts';

const MINUTE_MS = 60_000;

function usage() {
  let now = 1_800_000_000_000;
  return {
    known: new GraphUsage(() => now),
    pass: (minutes: number) => void (now += minutes * MINUTE_MS),
  };
}

/** In the platform's format. */
const app = (percent: number) => ({
  'x-app-usage': JSON.stringify({ call_count: 12, total_time: percent, total_cputime: 25 }),
});
const account = (id: string, percent: number, minutes = 0) => ({
  'x-business-use-case-usage': JSON.stringify({
    [id]: [
      {
        type: 'whatsapp_business_management',
        call_count: percent,
        total_cputime: 1,
        total_time: 5,
        estimated_time_to_regain_access: minutes,
      },
    ],
  }),
});

describe('the usage that answers tell', () => {
  test('is high from 80 percent of any share, and for an hour', () => {
    const { known, pass } = usage();
    expect(known.isHigh()).toBe(false);
    known.note(app(79));
    expect(known.isHigh()).toBe(false);
    known.note(app(80));
    expect(known.isHigh()).toBe(true);
    pass(60);
    expect(known.isHigh()).toBe(false);
  });

  test('ends with an answer that says less; an answer without it changes nothing', () => {
    const { known } = usage();
    known.note(app(95));
    known.note({});
    expect(known.isHigh()).toBe(true);
    known.note(app(30));
    expect(known.isHigh()).toBe(false);
  });

  test('of an account concerns that account only', () => {
    const { known } = usage();
    known.note(account('101', 90));
    expect([known.isHigh(), known.isHigh(['102']), known.isHigh(['102', '101'])]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('says how long the platform answers nothing', () => {
    const { known, pass } = usage();
    known.note(account('101', 100, 90));
    expect([known.blockedMinutes(['102']), known.blockedMinutes(['101'])]).toEqual([0, 90]);
    pass(70);
    expect(known.blockedMinutes(['101'])).toBe(20);
    expect(known.isHigh(['101'])).toBe(true);
    pass(20);
    expect(known.blockedMinutes(['101'])).toBe(0);
  });

  test.each([
    ['no JSON', 'x'],
    ['a list', '[]'],
    ['a text', '{"call_count":"a lot"}'],
    ['nothing', ''],
  ])('that is no usage (%s) counts as none', (_, value) => {
    const { known } = usage();
    known.note({ 'x-app-usage': value, 'x-business-use-case-usage': value });
    expect([known.isHigh(), known.blockedMinutes([])]).toEqual([false, 0]);
  });
});
