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
