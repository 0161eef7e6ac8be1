import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { RunStatus } from '#lib/engine/run-types.ts';
import { KEPT_DRAFT_RUNS } from '#lib/engine/store/start-draft-run.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { checkPicks } from '#lib/tasks/check-picks.ts';
import { listConnectionIds } from '#lib/tasks/list-picked.ts';
import { diffGraphs, hasChanges } from './diff-graphs.ts';
import { newestOfWorkflow } from './newest-of-workflow.ts';
import { MAX_RUNS_COUNTED, type BrokenWorkflow, type WorkflowRow } from './row-schema.ts';

interface Row {
  id: string;
  name: string;
  draft: WorkflowGraph;
  published_version: number | null;
  published_graph: WorkflowGraph | null;
  active: boolean;
  updated_at: Date;
  tags: string[];
  last_run_id: string | null;
  last_run_status: RunStatus;
  last_run_at: Date;
  runs_today: number;
}

/** The newest run of each workflow, without draft runs, of which few are kept. */
export const LAST_RUN = `
left join lateral (
  select r.id, r.status, r.created_at
  from (
    select r.id, r.status, r.created_at, r.version from runs r ${newestOfWorkflow('r', 'w.id')}
    limit ${KEPT_DRAFT_RUNS + 1}
  ) r
  where r.version > 0 order by r.id desc limit 1
) l on true`;

/** Today's runs of each workflow up to a limit. @param from SQL of the lowest id of today */
export const runsToday = (from: string): string => `
cross join lateral (
  select count(*)::int as runs_today
  from (select r.version from runs r ${newestOfWorkflow('r', 'w.id', { from })} limit ${MAX_RUNS_COUNTED}) counted
  where counted.version > 0
) t`;

const ROWS = `
select w.id, w.name, w.draft, w.published_version, v.graph as published_graph, w.active, w.updated_at, w.tags,
  l.id as last_run_id, l.status as last_run_status, l.created_at as last_run_at, t.runs_today
from unnest($3::uuid[]) with ordinality as wanted(id, place)
join workflows w on w.id = wanted.id
left join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
${LAST_RUN}
${runsToday('$2')}
where w.workspace_id = $1 and w.deleted_at is null order by wanted.place`;

/** The workspace's workflows with these ids, in their order. */
export async function loadWorkflowRows(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
  now: Date,
): Promise<WorkflowRow[]> {
  const { rows } = await ctx.db.$client.query<Row>(ROWS, [ctx.workspaceId, firstIdOfDay(now), ids]);
  const hasPublished = rows.some((row) => row.published_graph !== null);
  const facts = hasPublished ? await loadPlatformFacts(ctx, null) : {};
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    publishedVersion: row.published_version,
    active: row.active,
    hasUnpublishedChanges:
      row.published_graph !== null && hasChanges(diffGraphs(row.draft, row.published_graph)),
    taskCount: row.draft.tasks.length,
    tags: row.tags,
    updatedAt: row.updated_at.toISOString(),
    lastRun:
      row.last_run_id === null
        ? null
        : { id: row.last_run_id, status: row.last_run_status, createdAt: row.last_run_at.toISOString() },
    runsToday: row.runs_today,
    broken: row.published_graph && findBroken(row.published_graph, facts),
  }));
}

/** The first problem of the enabled tasks. */
function findBroken({ tasks }: WorkflowGraph, facts: PlatformFacts): BrokenWorkflow | null {
  const problems = tasks
    .filter(({ disabled }) => disabled !== true)
    .flatMap((task) =>
      checkPicks(task, withDeleted(task, facts)).map(({ message }) => ({
        taskId: task.id,
        taskName: task.name,
        message,
      })),
    );
  const [first] = problems;
  return first ? { ...first, count: problems.length } : null;
}

/** All connections of the workspace are known: any other one was deleted. */
const withDeleted = (task: WorkflowTask, facts: PlatformFacts): PlatformFacts => ({
  ...Object.fromEntries(listConnectionIds(task).map((id) => [id, null])),
  ...facts,
});

/** The lowest possible id since midnight UTC. */
export const firstIdOfDay = (now: Date): string =>
  lowestIdAt(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
