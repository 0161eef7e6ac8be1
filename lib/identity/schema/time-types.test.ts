import { describe, expect, test } from 'vitest';
import { DEFAULT_TIME, findCalendar, newWorkspaceTimeSchema } from './time-types.ts';

const problemsOf = (input: object): [string, string][] =>
  (newWorkspaceTimeSchema.safeParse({ zone: 'UTC', ...input }).error?.issues ?? []).map((issue) => [
    issue.path.join('.'),
    issue.message,
  ]);
const monday = (from: string, to: string) => ({ hours: { Shop: { monday: [{ from, to }] } } });

test('what is left out is empty', () => {
  expect(newWorkspaceTimeSchema.parse({ zone: 'UTC' })).toEqual(DEFAULT_TIME);
  const { hours } = newWorkspaceTimeSchema.parse({ zone: 'UTC', ...monday('18:00', '02:00') });
  expect(hours['Shop']).toEqual({
    monday: [{ from: '18:00', to: '02:00' }],
    tuesday: [],
    wednesday: [],
    thursday: [],
    friday: [],
    saturday: [],
    sunday: [],
  });
});

describe('a problem says where it is', () => {
  test.each<[object, string, RegExp]>([
    [{ zone: 'Berlin' }, 'zone', /Europe\/Berlin/],
    [monday('9:00', '10:00'), 'hours.Shop.monday.0.from', /09:00/],
    [monday('09:00', '24:00'), 'hours.Shop.monday.0.to', /23:59/],
    [{ hours: { Shop: { Monday: [] } } }, 'hours.Shop.Monday', /monday to sunday/],
    [{ hours: { ' Shop': {} } }, 'hours. Shop', /another name/],
    [{ hours: { ['x'.repeat(61)]: {} } }, `hours.${'x'.repeat(61)}`, /60 characters/],
    [{ hours: { Shop: {} }, holidays: { Shop: ['2026-02-30'] } }, 'holidays.Shop.0', /2026-12-24/],
    [{ holidays: { Shop: [] } }, 'holidays.Shop', /no calendar “Shop”/],
    [{ quiet_hours: { from: '08:00', to: '08:00' } }, 'quiet_hours.to', /not the start/],
  ])('%j', (input, path, message) => {
    expect(problemsOf(input)).toEqual([[path, expect.stringMatching(message)]]);
  });
});

test('a calendar has its holidays, and names of objects are none', () => {
  const time = newWorkspaceTimeSchema.parse({
    zone: 'UTC',
    hours: { Shop: {} },
    holidays: { Shop: ['2026-12-25'] },
  });
  expect(findCalendar(time, 'Shop')?.holidays).toEqual(['2026-12-25']);
  expect(findCalendar(time, 'toString')).toBeUndefined();
});
