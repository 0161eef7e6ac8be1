// Zones and languages in the browser, too: by Intl alone, which has the same data as Temporal (docs/decisions/time-zones.md).
import { LRUCache } from 'lru-cache';

type Options = Intl.DateTimeFormatOptions;

/** Each takes 30 KB outside V8's heap. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 });

/** The formatter of a language and options, made once. @throws RangeError for a zone or a language that there is not */
export function formatterOf(locale: string, options: Options): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const known = formatters.get(key);
  if (known) return known;
  // oxlint-disable-next-line patchbay/no-restricted-syntax -- in a bounded cache
  const made = new Intl.DateTimeFormat(locale, { calendar: 'gregory', numberingSystem: 'latn', ...options });
  formatters.set(key, made);
  return made;
}

const CLOCK = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hourCycle: 'h23',
} as const satisfies Options;

const clockOf = (zone: string): Intl.DateTimeFormat => formatterOf('en', { ...CLOCK, timeZone: zone });

/** Whether it is a zone of the IANA database, such as `Europe/Berlin` or `UTC`; fixed offsets such as `+01:00` are not. */
export const isZone = (text: string): boolean => /^[A-Za-z]/.test(text) && succeeds(() => clockOf(text));

/** Whether it is the tag of a language with its names of months and weekdays, such as `de` or `pt-BR`. */
export const isLocale = (text: string): boolean =>
  text !== '' && succeeds(() => Intl.DateTimeFormat.supportedLocalesOf(text).length > 0 || fail());

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

function fail(): never {
  throw new RangeError();
}

/** An instant whose time in UTC is the local time of another one in a zone, without milliseconds. */
export function toLocal(at: Date, zone: string): Date {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  return local;
}

const INSTANT = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Options;

/** In mails and pages whose reader's zone is unknown: `Nov 22, 2026, 20:31 UTC`, `Nov 22, 2026, 21:31 (Europe/Berlin)`. */
export const writeInstant = (at: Date, zone: string): string =>
  `${formatterOf('en', { ...INSTANT, timeZone: zone }).format(at)} ${zone === 'UTC' ? zone : `(${zone})`}`;

/**
 * The name of the month or weekday of a time in UTC. @param besideDay as it is written in a date, which some languages inflect
 */
export function nameIn(
  locale: string,
  at: Date,
  what: { month: 'long' | 'short' } | { weekday: 'long' | 'short' },
  { besideDay = false } = {},
): string {
  const part = 'month' in what ? 'month' : 'weekday';
  const options: Options = { ...what, ...(besideDay && { day: 'numeric' }), timeZone: 'UTC' };
  const found = formatterOf(locale, options)
    .formatToParts(at)
    .find(({ type }) => type === part);
  return found?.value ?? '';
}
