// Instants and durations in mails: in UTC, because the reader's time zone is unknown.

const INSTANT = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Such as `Nov 22, 2026, 20:31 UTC`. */
export const writeInstant = (at: Date): string => `${INSTANT.format(at)} UTC`;

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** The largest unit with at least two, or else the next one: `36 hours`, `2 days`, `1 minute`. */
export function writeDuration(seconds: number): string {
  const [size, unit] = UNITS.find(([unitSeconds]) => seconds >= 2 * unitSeconds) ?? UNITS[2];
  const count = Math.max(1, Math.round(seconds / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
