// Hours and days in zones. The only code that computes with them, by Temporal (docs/decisions/time-zones.md).
import { Temporal } from 'temporal-polyfill';

/** Hours of a day in local time. An end at or before the start is on the next day. */
export interface Span {
  /** `HH:MM`. */
  from: string;
  to: string;
}

export const WEEKDAYS = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Opening hours, and the dates on which none begin, `YYYY-MM-DD`. */
export interface Calendar {
  week: Readonly<Partial<Record<Weekday, readonly Span[]>>>;
  holidays: readonly string[];
}

/** From the first instant to before the second, in milliseconds since 1970. */
interface Interval {
  startAt: number;
  endAt: number;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

/** When a day begins in a zone, and when the next one does. @param day `YYYY-MM-DD` */
export function boundsOfDay(day: string, zone: string): { start: Date; end: Date } {
  const date = Temporal.PlainDate.from(day);
  const startOf = (each: Temporal.PlainDate): Date => new Date(each.toZonedDateTime(zone).epochMilliseconds);
  return { start: startOf(date), end: startOf(date.add({ days: 1 })) };
}

/** The instant of a local time; undefined: the text is none. @param text `YYYY-MM-DDTHH:MM` */
export function fromLocal(text: string, zone: string): Date | undefined {
  try {
    return new Date(Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds);
  } catch {
    return undefined;
  }
}

/** The local time of an instant, `HH:MM`. */
export const localTime = (at: Date, zone: string): string =>
  zoned(at, zone).toPlainTime().toString({ smallestUnit: 'minute' });

/**
 * The zone of a country; undefined: unknown, or its zones have different times at this instant.
 * @param country ISO 3166, such as `DE`
 */
export function zoneOfCountry(country: string, at: Date): string | undefined {
  const zones = zonesOfCountry(country);
  const offsets = new Set(zones.map((zone) => zoned(at, zone).offsetNanoseconds));
  return offsets.size === 1 ? zones[0] : undefined;
}

const known = new Map<string, readonly string[]>();

function zonesOfCountry(country: string): readonly string[] {
  const earlier = known.get(country);
  if (earlier) return earlier;
  const zones = /^[A-Z]{2}$/.test(country) ? (toLocale(country).getTimeZones() ?? []) : [];
  known.set(country, zones);
  return zones;
}

/** TypeScript's library does not know the method yet. */
const toLocale = (country: string) =>
  // oxlint-disable-next-line patchbay/no-restricted-syntax -- once for each country
  new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones: () => string[] | undefined };

const zoned = (at: Date, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);

/**
 * A span that begins on a day; undefined: none of it exists, as the clock skips it. A time that the clock skips is moved forward by
 * what it skips; of one that comes twice, the first counts.
 */
function toInterval(day: Temporal.PlainDate, { from, to }: Span, zone: string): Interval | undefined {
  const at = (date: Temporal.PlainDate, time: string): number =>
    date.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
  const startAt = at(day, from);
  const endAt = at(to <= from ? day.add({ days: 1 }) : day, to);
  return startAt < endAt ? { startAt, endAt } : undefined;
}

type SpansOf = (day: Temporal.PlainDate) => readonly Span[];

/** The span that contains an instant; of several the one that ends last. */
function findSpan(at: Date, zone: string, spansOf: SpansOf): Interval | undefined {
  const today = zoned(at, zone).toPlainDate();
  // One that began yesterday may last until today.
  return [today.subtract({ days: 1 }), today]
    .flatMap((day) => spansOf(day).flatMap((span) => toInterval(day, span, zone) ?? []))
    .filter(({ startAt, endAt }) => startAt <= at.getTime() && at.getTime() < endAt)
    .toSorted((a, b) => b.endAt - a.endAt)[0];
}

/** When the daily hours that contain this instant end; undefined: none contain it. */
export function findDailyEnd(span: Span, zone: string, at: Date): Date | undefined {
  const found = findSpan(at, zone, () => [span]);
  return found && new Date(found.endAt);
}

const opensOn =
  ({ week, holidays }: Calendar): SpansOf =>
  (day) =>
    holidays.includes(day.toString()) ? [] : (week[WEEKDAYS[day.dayOfWeek - 1] ?? 'monday'] ?? []);

/** Whether the calendar is open. */
export const isOpen = (calendar: Calendar, zone: string, at: Date): boolean =>
  findSpan(at, zone, opensOn(calendar)) !== undefined;

/** So far ahead an opening is searched. */
const SEARCHED_DAYS = 366;

/** When it opens next: the instant itself while it is open; undefined: not within a year. */
export function findOpening(calendar: Calendar, zone: string, at: Date): Date | undefined {
  if (isOpen(calendar, zone, at)) return at;
  const today = zoned(at, zone).toPlainDate();
  for (let days = 0; days <= SEARCHED_DAYS; days += 1) {
    const day = today.add({ days });
    const starts = opensOn(calendar)(day)
      .flatMap((span) => toInterval(day, span, zone)?.startAt ?? [])
      .filter((startAt) => startAt > at.getTime());
    if (starts.length > 0) return new Date(Math.min(...starts));
  }
  return undefined;
}

/** The next instant after `at` with this local time, on any of these weekdays. @param fromDays 1: not before tomorrow */
export function findNext(
  { time, weekdays, fromDays = 0 }: { time: string; weekdays: readonly Weekday[]; fromDays?: number },
  zone: string,
  at: Date,
): Date {
  const today = zoned(at, zone).toPlainDate();
  for (let days = fromDays; ; days += 1) {
    const day = today.add({ days });
    const next = day.toZonedDateTime({ timeZone: zone, plainTime: time }).epochMilliseconds;
    if (next > at.getTime() && weekdays.includes(WEEKDAYS[day.dayOfWeek - 1] ?? 'monday'))
      return new Date(next);
  }
}
