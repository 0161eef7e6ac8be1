/** Failed runs are only counted up to here: a workflow that fails all the time must not make the list slow. */
export const MAX_FAILURES_COUNTED = 20;

/** Failed runs of a workflow since a user last viewed them. */
export interface Failures {
  /** Up to `MAX_FAILURES_COUNTED`. */
  count: number;
  /** The newest run that failed. */
  runId: string;
  /** Why its first failed task failed. */
  reason: string;
  /** Advice for fixing it. */
  advice: string;
  /** The failed task's name in the draft; null where the run as a whole failed, or the task was removed. */
  taskName: string | null;
}
