import * as z from 'zod';
import type { ListPage } from '#components/live/list-types.ts';
import { RUN_STATUSES } from '#lib/engine/run-types.ts';
import type { RunRow } from '#components/runs/run-view-types.ts';
import { isId } from '#lib/ids.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import type { RunSummary } from '#lib/runs/schema.ts';
import { listMask } from '#lib/messaging/mask.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { eventTextMatcher } from '../events/event-text.ts';
import { scanPages } from './scan-pages.ts';
import { timeRangeFields, toTimeRange } from './time-range.ts';

const RUNS_A_PAGE = 25;

/** The filters of the runs list as its address has them; what cannot be read counts as absent. */
export const runFilterSchema = z.object({
  workflow: z.string().refine(isId).optional().catch(undefined),
  status: z.enum(RUN_STATUSES).optional().catch(undefined),
  text: z.string().trim().max(200).optional().catch(undefined),
  cursor: z.string().max(100).optional().catch(undefined),
  limit: z.coerce.number().int().min(1).max(100).default(RUNS_A_PAGE).catch(RUNS_A_PAGE),
  ...timeRangeFields,
});

/** A page of runs that match; customers' numbers in error texts are masked unless the workspace shows them. */
export async function searchRuns(
  ctx: Context & { masksNumbers: boolean },
  filter: z.output<typeof runFilterSchema>,
): Promise<ListPage<RunRow>> {
  const holdsText = eventTextMatcher(ctx, filter.text);
  const { data, ...rest } = await scanPages<RunSummary>({
    list: (page) => listRuns(ctx, { ...page, workflow_id: filter.workflow, status: filter.status }),
    timeOf: (run) => run.created_at,
    matches:
      holdsText && (async (run) => run.id === filter.text?.toLowerCase() || (await holdsText(run.event_id))),
    range: toTimeRange(filter),
    limit: filter.limit,
    cursor: filter.cursor,
  });
  return { data: data.map((run) => toRow(run, listMask(ctx))), ...rest };
}

const toRow = (run: RunSummary, clean: (text: string) => string): RunRow => ({
  id: run.id,
  workflowId: run.workflow_id,
  version: run.version,
  status: run.status,
  createdAt: run.created_at,
  startedAt: run.started_at,
  finishedAt: run.finished_at,
  resumeAt: run.resume_at,
  problem: run.error && clean(run.error.message),
  isRetry: run.retry_of !== null,
});
