// The queue's job that advances runs. Every statement that enqueues one gets its SQL here.
import * as z from 'zod';
import { type Lane, queueJob, RUNS } from '#lib/core/queue/job-table.ts';

export const ADVANCE_TASK = 'advance';

export const advancePayload = z.object({
  run_ids: z.array(z.uuid()),
  /** Signals for the runs may have arrived. */
  signaled: z.boolean().optional(),
});

interface AdvanceJob {
  /** SQL of the time at which the runs are due; left out: now. */
  runAt?: string;
  /** Signals for them have arrived. */
  isSignaled?: boolean;
  lane?: Lane;
  /** SQL of the workspace that all of them are of; null, or left out: it is looked up where it matters. */
  workspaceId?: string;
}

/** SQL that enqueues a job for some runs. @param runIds SQL of a JSON array of their ids */
export function addAdvanceJob(
  runIds: string,
  { runAt, isSignaled = false, lane = RUNS, workspaceId }: AdvanceJob = {},
): string {
  const payload = [
    `'run_ids', ${runIds}`,
    ...(isSignaled ? [`'signaled', true`] : []),
    ...(workspaceId === undefined ? [] : [`'workspace_id', ${workspaceId}`]),
  ].join(', ');
  return queueJob({ task: ADVANCE_TASK, lane }, `json_build_object(${payload})`, runAt);
}
