import type { RunError } from '#lib/engine/run-types.ts';
import { KEPT_DRAFT_RUNS } from '#lib/engine/store/start-draft-run.ts';
import { lowestIdAt, HIGHEST_ID, isId } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { adviseOnFailure } from '#lib/runs/failure-advice.ts';
import { type Failures, MAX_FAILURES_COUNTED } from '#lib/workflows/row-schema.ts';
import { sql, and, eq } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { newestOf } from '#lib/core/db/paging.ts';
import { workflowLooks } from '#lib/engine/schema/drafts.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';

/** For users who never viewed the runs: the last week. */
const NEWS_MS = 7 * 86_400_000;
/** Maximum time between start and failure of a run, because runs wait. */
const LONGEST_RUN_MS = 31 * 86_400_000;

interface Row {
  id: string;
  count: number;
  run_id: string;
  error: RunError | null;
  task_name: string | null;
}

const STEP = 'r.id, r.error, r.finished_at, r.version';

/**
 * The newest failed runs of each workflow; those before the user's last view are filtered outside. They are read one by one
 * from the index over rare states: for many at once, planners read and sort all runs of the workflow.
 */
const FAILED = `
select w.id, f.count, f.run_id, f.error, (
    select task->>'name' from json_array_elements(w.draft->'tasks') task
    where task->>'id' = f.error->>'task_id' limit 1
  ) as task_name
from workflows w
left join workflow_looks l on l.workflow_id = w.id and l.user_id = $2
cross join lateral (
  select count(*)::int as count, (array_agg(r.id order by r.id desc))[1] as run_id,
    (array_agg(r.error order by r.id desc))[1] as error
  from (
    with recursive newest as (
      (select ${STEP}, 1 as place, (r.version > 0)::int as counted from runs r ${newestOfFailed('w.id', { from: '$4' })} limit 1)
      union all
      select next.*, newest.place + 1, newest.counted + (next.version > 0)::int
      from newest cross join lateral (
        select ${STEP} from runs r ${newestOfFailed('w.id', { from: '$4', below: 'newest.id' })} limit 1
      ) next
      where newest.counted < ${MAX_FAILURES_COUNTED} and newest.place < ${MAX_FAILURES_COUNTED + KEPT_DRAFT_RUNS}
    )
    select * from newest
  ) r
  where r.version > 0 and r.finished_at > greatest(l.looked_at, $3::timestamptz)
) f
where w.workspace_id = $1 and w.deleted_at is null and ($5::uuid[] is null or w.id = any($5)) and f.count > 0`;

/**
 * Workflows that failed since a user last viewed them, by id; of the workspace, or the given ones of it. Runs of drafts do
 * not count.
 */
export async function listFailures(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { userId, ids = null, now = new Date() }: { userId: string; ids?: readonly string[] | null; now?: Date },
): Promise<Map<string, Failures>> {
  const from = lowestIdAt(now.getTime() - NEWS_MS - LONGEST_RUN_MS);
  const since = new Date(now.getTime() - NEWS_MS);
  const { rows } = await ctx.db.$client.query<Row>(FAILED, [ctx.workspaceId, userId, since, from, ids]);
  return new Map(
    rows.map(({ id, count, run_id, error, task_name }) => [
      id,
      {
        count: Math.min(count, MAX_FAILURES_COUNTED),
        runId: run_id,
        reason: error?.message ?? 'The run failed.',
        advice: adviseOnFailure(error),
        taskName: task_name,
      },
    ]),
  );
}

/**
 * `where … order by …` for a workflow's failed runs `r`, newest first, by the index over rare states; see `newestOf`.
 * @param workflow SQL of the workflow's id
 * @param bounds SQL of run ids
 */
function newestOfFailed(
  workflow: string,
  { from, below = `'${HIGHEST_ID}'` }: { from: string; below?: string },
): string {
  const { where, order } = newestOf({
    key: [
      [sql.raw('r.workflow_id'), sql.raw(workflow)],
      [sql.raw('r.rare_status'), sql.raw(`'failed'`)],
    ],
    id: sql.raw('r.id'),
    from: sql.raw(from),
    below: sql.raw(below),
  });
  const query = sql`where ${where} and r.rare_status is not null order by ${order}`;
  return new PgDialect().sqlToQuery(query).sql;
}

/**
 * Records that a user views a workflow's runs, so that earlier failures are not new any more. Ignored for another workspace's
 * workflow. It only concerns the user, so the audit log does not have it.
 */
export async function lookAtWorkflow(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  if (!isId(id)) return;
  const isOurs = and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId));
  const [ours] = await ctx.db.select({ id: workflows.id }).from(workflows).where(isOurs);
  if (!ours) return;
  const lookedAt = new Date();
  await ctx.db
    .insert(workflowLooks)
    .values({ userId, workflowId: id, lookedAt })
    .onConflictDoUpdate({ target: [workflowLooks.userId, workflowLooks.workflowId], set: { lookedAt } });
}
