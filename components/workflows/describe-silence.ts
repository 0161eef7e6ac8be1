import type { Silence } from '#lib/workflows/silence-types.ts';

const UNITS: readonly [name: string, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** `Silent for 3 days`, and `usually every 10 minutes`. */
export function describeSilence({ silentSeconds, usualSeconds }: Silence): { silent: string; usual: string } {
  const [count, unit] = measure(silentSeconds);
  return {
    silent: `Silent for ${count} ${unit}${count === 1 ? '' : 's'}`,
    usual: `usually ${every(usualSeconds)}`,
  };
}

function every(seconds: number): string {
  if (seconds < 45) return 'several times a minute';
  const [count, unit] = measure(seconds);
  return count === 1 ? `every ${unit}` : `every ${count} ${unit}s`;
}

/** In the largest unit with (nearly) one of it. */
function measure(seconds: number): [count: number, unit: string] {
  for (const [unit, size] of UNITS) {
    if (seconds >= size * 0.95) return [Math.round(seconds / size), unit];
  }
  return [1, 'minute'];
}
