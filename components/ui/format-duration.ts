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
