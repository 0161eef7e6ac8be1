// The workspace's time: zone, calendars of opening hours, and quiet hours. Isomorphic.
import * as z from 'zod';
import { CONTROLS_IN_NAME, isPlainName } from '#lib/core/plain-name.ts';
import { type Calendar, isDay, WEEKDAYS, type Weekday } from '#lib/core/time/hours.ts';
import { isZone } from '#lib/core/time/zones.ts';

const MAX_CALENDARS = 20;
const MAX_NAME = 60;
const MAX_SPANS = 10;
const MAX_HOLIDAYS = 400;

const time = z
  .string()
  .regex(
    /^(?:[01]\d|2[0-3]):[0-5]\d$/,
    'Enter a time from 00:00 to 23:59, such as 09:00. Midnight is 00:00.',
  );

const spanSchema = z
  .strictObject({
    from: time.meta({ description: 'Local time, such as `09:00`.' }),
    to: time.meta({
      description: 'A time at or before `from` is on the next day: from 00:00 to 00:00 is a whole day.',
    }),
  })
  .meta({ id: 'OpeningHours' });

const ofDay = z.array(spanSchema).max(MAX_SPANS, `Enter at most ${MAX_SPANS} spans a day.`);

type Week = Record<Weekday, z.output<typeof ofDay>>;

const isWeekday = (text: string): text is Weekday => (WEEKDAYS as readonly string[]).includes(text);

/** A record whose keys are checked one by one, so that a problem names the key. */
const recordOf = <Value extends z.ZodType>(value: Value, findProblem: (key: string) => string | undefined) =>
  z.record(z.string(), value).check(({ value: all, issues }) => {
    for (const key of Object.keys(all)) {
      const message = findProblem(key);
      if (message !== undefined) issues.push({ code: 'custom', input: key, path: [key], message });
    }
  });

/** Days that are left out have none. */
const newWeek = recordOf(ofDay, (key) =>
  isWeekday(key) ? undefined : 'Enter a day from monday to sunday.',
).transform((days): Week => Object.fromEntries(WEEKDAYS.map((day) => [day, days[day] ?? []])) as Week);

const weekSchema = z
  .strictObject(Object.fromEntries(WEEKDAYS.map((day) => [day, ofDay])) as Record<Weekday, typeof ofDay>)
  .meta({ id: 'OpeningWeek' });

function findNameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name.';
  if (name.length > MAX_NAME) return `Use at most ${MAX_NAME} characters.`;
  if (!isPlainName(name)) return CONTROLS_IN_NAME;
  return name === name.trim() && name !== '__proto__' ? undefined : 'Use another name.';
}

const byCalendar = <Value extends z.ZodType>(value: Value) =>
  recordOf(value, findNameProblem).refine(
    (all) => Object.keys(all).length <= MAX_CALENDARS,
    `Enter at most ${MAX_CALENDARS} calendars.`,
  );

const HOURS = 'Of each calendar, by name: opening hours by weekday (`monday` to `sunday`).';

export const workspaceTimeSchema = z
  .strictObject({
    zone: z
      .string()
      .refine(isZone, 'Enter a time zone such as Europe/Berlin.')
      .meta({ description: 'A zone of the IANA database.' }),
    hours: byCalendar(weekSchema).meta({ description: HOURS }),
    holidays: byCalendar(
      z
        .array(z.string().refine(isDay, 'Enter a date such as 2026-12-24.'))
        .max(MAX_HOLIDAYS, `Enter at most ${MAX_HOLIDAYS} holidays.`),
    ).meta({ description: 'Of each calendar, by name: dates on which it does not open.' }),
    quiet_hours: spanSchema
      .refine(({ from, to }) => from !== to, {
        path: ['to'],
        message: 'Enter an end that is not the start.',
      })
      .nullable()
      .meta({
        description:
          'Each day, where the customer is: templates of the category MARKETING wait until they end. Null: none.',
      }),
  })
  .meta({ id: 'WorkspaceTime' });

const { holidays, quiet_hours } = workspaceTimeSchema.shape;

/** What is left out is empty. */
export const newWorkspaceTimeSchema = workspaceTimeSchema
  .extend({
    hours: byCalendar(newWeek).default({}).meta({ description: HOURS }),
    holidays: holidays.default({}),
    quiet_hours: quiet_hours.default(null),
  })
  .check(({ value, issues }) => {
    for (const calendar of Object.keys(value.holidays)) {
      if (Object.hasOwn(value.hours, calendar)) continue;
      const message = `There is no calendar “${calendar}” in hours.`;
      issues.push({ code: 'custom', input: calendar, path: ['holidays', calendar], message });
    }
  })
  .meta({ id: 'NewWorkspaceTime' });
export type WorkspaceTime = z.output<typeof workspaceTimeSchema>;

/** Of a workspace that set none. */
export const DEFAULT_TIME: WorkspaceTime = { zone: 'UTC', hours: {}, holidays: {}, quiet_hours: null };

/** A calendar by its name; undefined: there is none. */
export const findCalendar = (
  { hours, holidays }: Pick<WorkspaceTime, 'hours' | 'holidays'>,
  calendar: string,
): Calendar | undefined =>
  Object.hasOwn(hours, calendar)
    ? {
        week: hours[calendar] ?? {},
        holidays: Object.hasOwn(holidays, calendar) ? (holidays[calendar] ?? []) : [],
      }
    : undefined;
