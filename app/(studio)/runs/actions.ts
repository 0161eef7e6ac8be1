'use server';
import * as z from 'zod';
import type { BulkOutcome } from '#lib/screens/list-types.ts';
import { action, idSchema } from '#lib/identity/auth/authorized-action.ts';
import {
  cancelRun as cancel,
  planRetry as plan,
  resolveTaskRun as resolve,
  retryRun as retry,
} from '#lib/runs/change-run.ts';
import { resolveTaskRunSchema, retryRunSchema } from '#lib/runs/schema.ts';
import { lookAtWorkflow as look } from '#lib/workflows/failures/list-failures.ts';
import { doEach, MAX_AT_ONCE } from '#lib/screens/list-filter.ts';

const idsSchema = z.strictObject({ ids: z.array(z.string()).max(MAX_AT_ONCE) });

/** Resumes failed and cancelled runs where they stopped; failures do not stop the others. */
export const retryRuns = action('editor', idsSchema, (ctx, { ids }): Promise<BulkOutcome[]> =>
  doEach(ids, (id) => retry(ctx, { id, from: 'failed_task' })),
);

export const cancelRuns = action('editor', idsSchema, (ctx, { ids }): Promise<BulkOutcome[]> =>
  doEach(ids, (id) => cancel(ctx, { id })),
);

/** The user views the runs of a workflow: earlier failures are not new any more. */
export const lookAtWorkflow = action('viewer', idSchema, (ctx, { id }) =>
  look(ctx, { id, userId: ctx.user.id }),
);

/** @returns the id of the run to open: a new one when it was started again */
export const retryRun = action('editor', retryRunSchema.extend(idSchema.shape), async (ctx, input) => {
  const { id } = await retry(ctx, input);
  return { id };
});

export const cancelRun = action('editor', idSchema, async (ctx, input) => {
  await cancel(ctx, input);
});

/** Previews what a retry would repeat. */
export const planRetry = action('editor', retryRunSchema.extend(idSchema.shape), (ctx, input) =>
  plan(ctx, input),
);

export const resolveTaskRun = action(
  'editor',
  resolveTaskRunSchema.extend({ id: z.string(), task_id: z.int() }),
  async (ctx, input) => {
    await resolve(ctx, input);
  },
);
