import type { Attempt } from './load.ts';

/** What callers noticed of a fault. */
export interface Interruption {
  /** Requests that were not acknowledged. */
  refused: number;
  /** From the fault until requests were acknowledged again, and none failed afterwards; 0: nothing was noticed. */
  acceptedAgainMs: number;
}

/** A pause between two acknowledged requests that is shorter is none. */
const GAP_MS = 1000;

/**
 * What callers noticed between two instants, the first of which is that of a fault.
 * Without a request that was acknowledged at the end, `acceptedAgainMs` is infinite.
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
