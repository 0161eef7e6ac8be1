// The queue's job that advances runs. Every statement that enqueues one gets its SQL here.
import * as z from 'zod';
import { type Lane, RUNS } from '#lib/core/queue/job-table.ts';

export const ADVANCE_TASK = 'advance';

export const advancePayload = z.object({
  run_ids: z.array(z.uuid()),
  /** Signals for the runs may have arrived. */
  signaled: z.boolean().optional(),
});

/**
 * SQL that enqueues a job for some runs.
 * @param runIds SQL of a JSON array of their ids
 * @param runAt SQL of the time at which they are due; left out: now
 * @param why `signaled`: signals for them have arrived
 * @param lane of the job
 */
export const addAdvanceJob = (
  runIds: string,
  runAt?: string,
  why?: 'signaled',
  { priority }: Lane = RUNS,
): string =>
  `graphile_worker.add_job('${ADVANCE_TASK}', json_build_object('run_ids', ${runIds}${why ? `, '${why}', true` : ''})${runAt ? `, run_at := ${runAt}` : ''}${priority === RUNS.priority ? '' : `, priority := ${priority}`})`;
