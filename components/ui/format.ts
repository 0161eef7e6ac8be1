// Formats instants, durations and sizes. Instants are written in a zone that is given, so that server and browser agree.
import { formatterOf } from '#lib/core/time/zones.ts';

const DAY_MS = 86_400_000;
const DATE = { year: 'numeric', month: 'short', day: 'numeric' } as const;
const CLOCK = { hour: 'numeric', minute: '2-digit' } as const;
const NAMED = { timeZoneName: 'short' } as const;

const STYLES = {
  short: { ...DATE, ...CLOCK },
  shortNamed: { ...DATE, ...CLOCK, ...NAMED },
  exact: {
    ...DATE,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
    ...NAMED,
  },
  day: { dateStyle: 'short' },
  time: CLOCK,
  timeNamed: { ...CLOCK, ...NAMED },
  scheduled: {
    weekday: 'short',
    ...DATE,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...NAMED,
  },
} as const;

/** The time zone of the browser, such as `Europe/Berlin`. */
export const getBrowserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const write = (style: keyof typeof STYLES, zone: string, at: Date | number): string =>
  formatterOf('en', { ...STYLES[style], timeZone: zone }).format(at);

interface Naming {
  /** Ends with the zone's short name. */
  named?: boolean;
}

/** "Nov 22, 2026, 6:05 PM" in a zone, such as `Europe/Berlin`. @param at ISO 8601 */
export const formatInstant = (at: string, zone: string, { named = false }: Naming = {}): string =>
  write(named ? 'shortNamed' : 'short', zone, new Date(at));

/** "today, 6:05 PM", "tomorrow, 6:05 PM", or the date of another day. @param at ISO 8601 @param now milliseconds since 1970 */
export function formatDeadline(
  at: string,
  now: number,
  zone: string,
  { named = false }: Naming = {},
): string {
  const date = new Date(at);
  const day = write('day', zone, date);
  const isIn = (days: number): boolean => day === write('day', zone, now + days * DAY_MS);
  const word = isIn(0) ? 'today' : isIn(1) ? 'tomorrow' : undefined;
  return word
    ? `${word}, ${write(named ? 'timeNamed' : 'time', zone, date)}`
    : formatInstant(at, zone, { named });
}

/** "Mon, Nov 30, 2026, 09:00 GMT+1". */
export const formatScheduled = (at: Date, zone: string): string => write('scheduled', zone, at);

/** The same to the millisecond, with its zone, and as UTC where that is another one. @param at ISO 8601 */
export function formatExactInstant(at: string, zone: string): string {
  const date = new Date(at);
  const inZone = write('exact', zone, date);
  return inZone.endsWith('UTC') ? inZone : `${inZone} (${date.toISOString()})`;
}

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
const JUST_NOW_SECONDS = 45;

const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** Formats a time relative to now. @param at and @param now milliseconds since 1970 */
export function formatRelative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  if (Math.abs(seconds) < JUST_NOW_SECONDS) return seconds > 0 ? 'in a moment' : 'just now';
  const rounded = Math.max(Math.abs(seconds), 60);
  const [unit, size] = UNITS.find(([, unitSeconds]) => rounded >= unitSeconds) ?? ['minute', 60];
  // A period of 30 days that began a moment ago ends in 30 days, not in 29.
  const count = seconds > 0 ? Math.round(rounded / size) : Math.floor(rounded / size);
  return formatter.format(Math.sign(seconds) * count, unit);
}

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;

/** Formats a duration: "12 ms", "3.4 s", "2 min 5 s", "3 h 10 min". @param milliseconds not negative */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.max(0, Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < MINUTE_SECONDS) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < HOUR_SECONDS)
    return join(Math.floor(whole / MINUTE_SECONDS), 'min', whole % MINUTE_SECONDS, 's');
  const minutes = Math.round(whole / MINUTE_SECONDS);
  if (minutes < 24 * 60) return join(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return join(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

const join = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;

const KILO = 1024;

/** Formats a size: "12 B", "3.4 KB", "1.2 MB". */
export function formatBytes(bytes: number): string {
  if (bytes < KILO) return `${bytes} B`;
  const kilobytes = bytes / KILO;
  return kilobytes < KILO ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / KILO).toFixed(1)} MB`;
}
