import type { Context } from '#lib/identity/context.ts';
import { getWorkflow } from './load-workflow.ts';
import { newestOfWorkflow } from './newest-events.ts';
import { getVersion } from './versions.ts';
import { listFirstWaits } from './graph-paths.ts';

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

const MAX_RUNS = 200;

/** A caller is answered when the run reaches a task that waits, or at its end. */
const TIMES = `
with newest as (
  select id, version, awaited, retry_of, created_at, finished_at from runs r ${newestOfWorkflow('r', '$1')} limit ${MAX_RUNS}
), times as (
  select awaited, 1000 * extract(epoch from coalesce(
    (select min(t.started_at) from task_runs t where t.run_id = n.id and t.task_id = any($2::int[])), finished_at, now()
  ) - created_at)::float8 as ms
  from newest n where version > 0 and retry_of is null
)
select count(*)::int as runs,
  coalesce(percentile_disc(0.5) within group (order by ms), 0) as p50,
  coalesce(percentile_disc(0.95) within group (order by ms), 0) as p95,
  (count(*) filter (where awaited and ms > $3))::int as late
from times`;

interface TimesRow {
  runs: number;
  p50: number;
  p95: number;
  late: number;
}

/**
 * Response times of the newest production runs, whatever their callers requested.
 * @param limitMs how long a caller waits
 * @throws AppError `not_found`
 */
export async function loadReplyTimes(
  ctx: Context,
  { id, limitMs }: { id: string; limitMs: number },
): Promise<ReplyTimes> {
  const workflow = await getWorkflow(ctx, { id });
  const { published_version: version } = workflow;
  const graph = version === null ? workflow : await getVersion(ctx, { id, version });
  const { rows } = await ctx.db.$client.query<TimesRow>(TIMES, [workflow.id, listFirstWaits(graph), limitMs]);
  const { runs, p50, p95, late } = rows[0] ?? { runs: 0, p50: 0, p95: 0, late: 0 };
  return { runs, p50Ms: p50, p95Ms: p95, late, limitMs };
}
