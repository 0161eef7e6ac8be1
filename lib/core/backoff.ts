/** First and longest delay between attempts. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/**
 * Milliseconds until the next attempt, doubled with each failure. The one rule for everything that is tried again.
 * @param failures earlier failures, from 0
 */
export const backoffMs = (failures: number, { firstMs, longestMs }: Backoff): number =>
  Math.min(firstMs * 2 ** failures, longestMs);
