import type { Silence } from './silence-types.ts';

/** Shorter silences are never reported, however busy a workflow is. */
export const MIN_SILENCE_MS = 3_600_000;
/** Period before the last event that defines the usual pauses: two weekends. */
export const RHYTHM_MS = 14 * 86_400_000;
/** Minimum number of events for a rhythm. */
const MIN_EVENTS = 10;
const MUCH_LONGER = 1.5;
/** With at least this many gaps, an outlier counts as an earlier silence, not as part of the rhythm. */
const MANY_GAPS = 30;

/**
 * Whether the time since the last event is much longer than the usual pauses before it (nights, weekends).
 * @param recentMs all of the newest events: they give the usual distance
 * @param thinnedMs events of the 14 days before the last one; some may be missing, but not around the pauses
 */
export function findSilence(
  nowMs: number,
  recentMs: readonly number[],
  thinnedMs: readonly number[],
): Silence | null {
  const recent = sorted(recentMs);
  const lastMs = recent.at(-1);
  if (lastMs === undefined) return null;
  const silentMs = nowMs - lastMs;
  const known = sorted([...recent, ...thinnedMs]).filter((at) => at >= lastMs - RHYTHM_MS);
  if (known.length < MIN_EVENTS || silentMs < MIN_SILENCE_MS) return null;
  const pauses = gapsOf(known).sort((a, b) => b - a);
  const longestMs = pauses[pauses.length >= MANY_GAPS ? 1 : 0] ?? 0;
  if (silentMs <= longestMs * MUCH_LONGER) return null;
  return {
    sinceAt: new Date(lastMs).toISOString(),
    silentSeconds: Math.floor(silentMs / 1000),
    usualSeconds: Math.round(median(gapsOf(recent)) / 1000),
  };
}

const sorted = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

const gapsOf = (instants: readonly number[]): number[] =>
  instants.slice(1).map((at, index) => at - (instants[index] ?? at));

function median(values: readonly number[]): number {
  const ordered = [...values].sort((a, b) => a - b);
  return ordered[Math.floor(ordered.length / 2)] ?? 0;
}
