import * as z from 'zod';
import type { ListPage, WorkflowOfRow } from './list-types.ts';
import { adviseOnFailure } from '#lib/runs/failure-advice.ts';
import type { RunRow } from '#lib/screens/run-types.ts';
import type { MemberContext } from '#lib/identity/auth/session.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import { hidesNumbersFrom, listMask } from '#lib/messaging/mask.ts';
import { listWaits } from '#lib/runs/list-waits.ts';
import { RUN_DELIVERIES, type RunSummary } from '#lib/runs/schema.ts';
import { searchRuns } from '#lib/runs/list-runs.ts';
import { maskWithin } from '#lib/screens/run-mask.ts';
import { withWorkflowNames, listFilterFields, toListInput } from '#lib/screens/list-filter.ts';

/** The URL filters of the runs list, with the delivery as one of the statuses; invalid values count as absent. */
export const runFilterSchema = z.object({
  ...listFilterFields,
  customer: listFilterFields.workflow,
  status: z
    .enum([...RUN_STATUSES, ...RUN_DELIVERIES])
    .optional()
    .catch(undefined),
});

/** A page of matching runs; customers' numbers in error texts are masked unless the workspace shows them. */
export async function readRuns(
  ctx: Pick<MemberContext, 'role' | 'masksNumbers'> & Parameters<typeof searchRuns>[0],
  filter: z.output<typeof runFilterSchema>,
): Promise<ListPage<RunRow & WorkflowOfRow>> {
  const { data, ...rest } = await searchRuns(ctx, {
    ...toListInput(filter),
    ...(filter.status === 'undelivered' ? { delivery: filter.status } : { status: filter.status }),
    customer: filter.customer,
    hidesNumbers: hidesNumbersFrom(ctx),
  });
  const waiting = data.filter(({ status }) => status === 'waiting').map(({ id }) => id);
  const waits = await listWaits(ctx, waiting);
  const rows = data.map((run) => toRunRow(run, waits.get(run.id), listMask(ctx)));
  return { data: await withWorkflowNames(ctx, rows), ...rest };
}

/** Shared by the list and a run's own page; `clean` masks texts. */
export const toRunRow = (
  run: RunSummary,
  wait: string | undefined,
  clean: (text: string) => string,
): RunRow => ({
  id: run.id,
  workflowId: run.workflow_id,
  version: run.version,
  draftRevision: run.draft_revision,
  status: run.status,
  delivery: run.delivery,
  createdAt: run.created_at,
  startedAt: run.started_at,
  finishedAt: run.finished_at,
  resumeAt: run.resume_at,
  waitsFor: wait === undefined ? null : clean(wait),
  waitsForRun: run.waits_for_run,
  waitsForRuns: run.waits_for_runs,
  waitsForQuietUntil: run.waits_for_quiet_until,
  problem: run.error && clean(run.error.message),
  advice: run.status === 'failed' ? adviseOnFailure(run.error) : null,
  isRetry: run.retry_of !== null,
  calledBy: run.called_by?.run_id ?? null,
  customer: maskWithin(run.customer, clean),
});
