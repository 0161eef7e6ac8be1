/** Actual or hypothetical waiting times of callers who wait for the end of the run. */
export interface ReplyTimes {
  /** Number of the newest runs that were examined; 0: there are no times. */
  runs: number;
  /** Milliseconds after which half of them, and 95 of 100, were answered. */
  p50Ms: number;
  p95Ms: number;
  /** Number of callers that timed out: they got 202. */
  late: number;
  /** How long a caller waits. */
  limitMs: number;
}
