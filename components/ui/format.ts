// Formats instants in the reader's time zone. The server does not know it and renders UTC.
const SHORT = { dateStyle: 'medium', timeStyle: 'short' } as const;
const DAY_MS = 86_400_000;
const EXACT = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
  timeZoneName: 'short',
} as const;

const STYLES = {
  short: SHORT,
  exact: EXACT,
  day: { dateStyle: 'short' },
  time: { timeStyle: 'short' },
  scheduled: {
    weekday: 'short',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  },
} as const;

/** `UTC` on the server and for hydration in the browser, or the workspace's; left out: the reader's. */
export type Zone = string | undefined;

/** The reader's time zone, such as `Europe/Berlin`. For the browser. */
export const getBrowserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Formatters are cached: each takes 0.3 ms and 30 KB outside V8's heap, where the garbage collector does not count it, so
 * that creating one per instant of a long list cost the web process gigabytes.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(style: keyof typeof STYLES, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${zone ?? ''}`;
  const known = formatters.get(key);
  if (known) return known;
  // oxlint-disable-next-line patchbay/no-restricted-syntax -- one for each style and zone
  const made = new Intl.DateTimeFormat('en', { ...STYLES[style], timeZone: zone });
  formatters.set(key, made);
  return made;
}

/** "Nov 22, 2026, 6:05 PM". @param at ISO 8601 */
export const formatInstant = (at: string, zone?: Zone): string =>
  formatterOf('short', zone).format(new Date(at));

/** "today, 6:05 PM", "tomorrow, 6:05 PM", or the date of another day. @param at ISO 8601 @param now milliseconds since 1970 */
export function formatDeadline(at: string, now: number, zone?: Zone): string {
  const date = new Date(at);
  const day = formatterOf('day', zone);
  const time = formatterOf('time', zone).format(date);
  const isIn = (days: number): boolean => day.format(date) === day.format(new Date(now + days * DAY_MS));
  if (isIn(0)) return `today, ${time}`;
  return isIn(1) ? `tomorrow, ${time}` : formatInstant(at, zone);
}

/** "Mon, Nov 30, 2026, 09:00 GMT+1" in a zone, such as `Europe/Berlin`. */
export const formatScheduled = (at: Date, zone: string): string => formatterOf('scheduled', zone).format(at);

/** The same to the millisecond, with its zone, and as UTC where that is another one. @param at ISO 8601 */
export function formatExactInstant(at: string, zone?: Zone): string {
  const date = new Date(at);
  const inZone = formatterOf('exact', zone).format(date);
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
