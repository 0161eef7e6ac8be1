/** How long callers waited, or would have waited, who asked for the end of the run. */
export interface ReplyTimes {
  /** How many of the newest runs were looked at; 0: there are no times. */
  runs: number;
  /** Milliseconds within which half of them, and 95 of 100, had their answer. */
  p50Ms: number;
  p95Ms: number;
  /** Callers who waited in vain: they were answered with 202. */
  late: number;
  /** How long a caller waits. */
  limitMs: number;
}
