import type { Attempt } from './load.ts';

/** The effect of a fault on callers. */
export interface Interruption {
  /** Requests that were not acknowledged. */
  refused: number;
  /** From the fault until requests were acknowledged again, and none failed afterwards; 0: no interruption. */
  acceptedAgainMs: number;
}

/** Shorter pauses between two acknowledged requests do not count. */
const GAP_MS = 1000;

/**
 * The effect on callers between two instants, the first of which is that of a fault. Without a request that was acknowledged at
 * the end, `acceptedAgainMs` is infinite.
 */
export function measureInterruption(
  attempts: readonly Attempt[],
  faultAt: number,
  untilAt: number,
): Interruption {
  const seen = attempts.filter(({ startedAt, endedAt }) => endedAt >= faultAt && startedAt < untilAt);
  const refused = seen.filter(({ isAcknowledged }) => !isAcknowledged);
  const acknowledgedAt = seen
    .filter(({ isAcknowledged }) => isAcknowledged)
    .map(({ endedAt }) => endedAt)
    .toSorted((a, b) => a - b);
  const lastRefusedAt = Math.max(-Infinity, ...refused.map(({ endedAt }) => endedAt));
  const gapEnds = acknowledgedAt.filter((at, index) => at - (acknowledgedAt[index - 1] ?? faultAt) > GAP_MS);
  const firstAfterRefusal =
    refused.length === 0 ? faultAt : (acknowledgedAt.find((at) => at >= lastRefusedAt) ?? Infinity);
  const lastAt = acknowledgedAt.at(-1);
  const endAt = lastAt === undefined || lastAt < untilAt - GAP_MS ? Infinity : faultAt;
  return {
    refused: refused.length,
    acceptedAgainMs: Math.max(firstAfterRefusal, gapEnds.at(-1) ?? faultAt, endAt) - faultAt,
  };
}
