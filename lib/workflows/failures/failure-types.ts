/** Above it failed runs are not counted exactly: a workflow that fails all the time must not make the list slow. */
export const MAX_FAILURES_COUNTED = 20;

/** What of a workflow failed since a user last looked. */
export interface Failures {
  /** Up to `MAX_FAILURES_COUNTED`. */
  count: number;
  /** The newest run that failed. */
  runId: string;
  /** Why the first task that failed in it did. */
  reason: string;
  /** What to do about it. */
  advice: string;
  /** The task that failed, as the draft calls it; null where the run as a whole did, or the task is gone. */
  taskName: string | null;
}
