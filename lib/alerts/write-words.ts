// Durations in mails.

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
