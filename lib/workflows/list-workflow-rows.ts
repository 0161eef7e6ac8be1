import * as z from 'zod';
import { hashToken } from '#lib/core/crypto/token.ts';
import { lowestIdAt } from '#lib/core/ids.ts';
import { boundsOfDay } from '#lib/core/time/hours.ts';
import { toLocal } from '#lib/core/time/zones.ts';
import { getWorkspaceTime } from '#lib/identity/workspaces/workspace-time.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { RunStatus } from '#lib/engine/run-types.ts';
import { KEPT_DRAFT_RUNS } from '#lib/engine/store/start-draft-run.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadPlatformFacts } from '#lib/messaging/connections/platform-facts.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { toCurrentGraph } from '#lib/tasks/current-shape.ts';
import { checkPicks, listConnectionIds } from '#lib/tasks/picks.ts';
import { diffGraphs, hasChanges } from './diff-graphs.ts';
import { newestOfWorkflow } from './newest-events.ts';
import {
  type BrokenWorkflow,
  type FoundWorkflow,
  MAX_RUNS_COUNTED,
  ROWS_A_PAGE,
  type WorkflowPage,
  type WorkflowRow,
} from './row-schema.ts';
import {
  filterWorkflows,
  listTags,
  pageOfWorkflows,
  type SortOrder,
  type WorkflowFilter,
  type WorkflowKey,
} from './sort-workflows.ts';

interface KeyRow {
  id: string;
  name: string;
  tags: string[];
  updated_at: Date;
  last_run_at: Date | null;
  runs_today: number;
}

type Reader = Pick<Context, 'db' | 'workspaceId'>;

export interface WorkflowRowsInput extends Partial<Omit<WorkflowFilter, 'foundIds'>> {
  order?: SortOrder;
  limit?: number;
  cursor?: string | undefined;
}

/**
 * A page of the workspace's workflows for the screen. Filters and orders apply to all workflows: of each only the columns
 * they need are read, and the rest for those on the page.
 * @throws AppError `invalid_request` for an invalid cursor
 */
export async function listWorkflowRows(
  ctx: Reader,
  { text = '', tag = '', order = 'changed', limit = ROWS_A_PAGE, cursor }: WorkflowRowsInput = {},
  now: Date = new Date(),
): Promise<WorkflowPage> {
  const searched = workflowSearchSchema.safeParse({ text });
  const since = await firstIdOfDay(ctx, now);
  const [keys, found] = await Promise.all([
    loadKeys(ctx, order, since),
    searched.success ? searchWorkflows(ctx, searched.data) : [],
  ]);
  const foundBy = new Map(found.map((each) => [each.id, each]));
  const matching = filterWorkflows(keys, { text, tag, foundIds: new Set(foundBy.keys()) });
  const { ids, next_cursor } = pageOfWorkflows(matching, { order, limit, cursor });
  const rows = await loadWorkflowRows(ctx, ids, since);
  return {
    data: rows.map((row) => ({ ...row, foundBy: foundBy.get(row.id) })),
    next_cursor,
    matching: matching.length,
    total: keys.length,
    tags: listTags(keys),
  };
}

async function loadKeys(ctx: Reader, order: SortOrder, since: string): Promise<WorkflowKey[]> {
  const values = order === 'runs_today' ? [ctx.workspaceId, since] : [ctx.workspaceId];
  const { rows } = await ctx.db.$client.query<KeyRow>(KEYS[order], values);
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    tags: row.tags,
    updatedAt: row.updated_at.toISOString(),
    lastRunAt: row.last_run_at?.toISOString() ?? null,
    runsToday: row.runs_today,
  }));
}

interface Row {
  id: string;
  name: string;
  draft: WorkflowGraph;
  published_version: number | null;
  published_graph: WorkflowGraph | null;
  active: boolean;
  holds_runs: boolean;
  next_start_at: Date | null;
  updated_at: Date;
  tags: string[];
  last_run_id: string | null;
  last_run_status: RunStatus;
  last_run_at: Date;
  runs_today: number;
}

/** The newest run of each workflow, without draft runs, of which few are kept. */
const LAST_RUN = `
left join lateral (
  select r.id, r.status, r.created_at
  from (
    select r.id, r.status, r.created_at, r.version from runs r ${newestOfWorkflow('r', 'w.id')}
    limit ${KEPT_DRAFT_RUNS + 1}
  ) r
  where r.version > 0 order by r.id desc limit 1
) l on true`;

/** Today's runs of each workflow up to a limit. @param from SQL of the lowest id of today */
const runsToday = (from: string): string => `
cross join lateral (
  select count(*)::int as runs_today
  from (select r.version from runs r ${newestOfWorkflow('r', 'w.id', { from })} limit ${MAX_RUNS_COUNTED}) counted
  where counted.version > 0
) t`;

/** The columns that each order needs; runs are only read where they decide it. */
const KEYS: Readonly<Record<SortOrder, string>> = {
  changed: writeKeys({}),
  name: writeKeys({}),
  last_run: writeKeys({ lastRunAt: 'l.created_at', join: LAST_RUN }),
  runs_today: writeKeys({ runsOfToday: 't.runs_today', join: runsToday('$2') }),
};

function writeKeys({ lastRunAt = 'null::timestamptz', runsOfToday = '0', join = '' }): string {
  return `
select w.id, w.name, w.tags, w.updated_at, ${lastRunAt} as last_run_at, ${runsOfToday} as runs_today
from workflows w ${join} where w.workspace_id = $1 and w.deleted_at is null`;
}

const ROWS = `
select w.id, w.name, w.draft, w.published_version, v.graph as published_graph, w.active, w.holds_runs, w.updated_at, w.tags,
  s.next_at as next_start_at, l.id as last_run_id, l.status as last_run_status, l.created_at as last_run_at, t.runs_today
from unnest($3::uuid[]) with ordinality as wanted(id, place)
join workflows w on w.id = wanted.id
left join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
left join schedules s on s.workflow_id = w.id
${LAST_RUN}
${runsToday('$2')}
where w.workspace_id = $1 and w.deleted_at is null order by wanted.place`;

/** The workspace's workflows with these ids, in their order. */
async function loadWorkflowRows(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  ids: readonly string[],
  since: string,
): Promise<WorkflowRow[]> {
  const { rows } = await ctx.db.$client.query<Row>(ROWS, [ctx.workspaceId, since, ids]);
  const hasPublished = rows.some((row) => row.published_graph !== null);
  const facts = hasPublished ? await loadPlatformFacts(ctx, null) : {};
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    publishedVersion: row.published_version,
    active: row.active,
    holdsRuns: row.holds_runs,
    nextStartAt: row.next_start_at?.toISOString() ?? null,
    hasUnpublishedChanges:
      row.published_graph !== null &&
      hasChanges(diffGraphs(toCurrentGraph(row.draft), toCurrentGraph(row.published_graph))),
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

/** The lowest possible id since midnight in the workspace's zone. */
async function firstIdOfDay(ctx: Reader, now: Date): Promise<string> {
  const { zone } = await getWorkspaceTime(ctx);
  const today = toLocal(now, zone).toISOString().slice(0, 10);
  return lowestIdAt(boundsOfDay(today, zone).start.getTime());
}

const workflowSearchSchema = z.strictObject({ text: z.string().trim().min(2).max(500) });

const MAX_TASKS_NAMED = 3;
/** Drafts are read one by one, so their number is limited. */
const MAX_SEARCHED = 1000;

/** Searches the most recently changed workflows: only their own tasks, not their runs. */
const SEARCH = `
select w.id, coalesce(t.names, '{}') as tasks, k.token_hash is not null as is_its_url
from (
  select id, name, draft, tags from workflows
  where workspace_id = $1 and deleted_at is null order by updated_at desc, id desc limit $4
) w
left join webhook_tokens k on k.workflow_id = w.id and k.token_hash = $3
left join lateral (
  select array_agg(named.name) as names from (
    select task->>'name' as name from json_array_elements(w.draft->'tasks') task
    where position(lower($2) in lower(task->>'name')) > 0 limit ${MAX_TASKS_NAMED}
  ) named
) t on true
where t.names is not null or k.token_hash is not null`;

/** The workflows with a text in the names of their tasks, or with a webhook URL or token. */
export async function searchWorkflows(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { text }: z.output<typeof workflowSearchSchema>,
): Promise<FoundWorkflow[]> {
  const values = [ctx.workspaceId, text, hashToken(tokenIn(text)), MAX_SEARCHED];
  const { rows } = await ctx.db.$client.query<{ id: string; tasks: string[]; is_its_url: boolean }>(
    SEARCH,
    values,
  );
  return rows.map(({ id, tasks, is_its_url: isItsUrl }) => ({ id, tasks, isItsUrl }));
}

/** The token of a URL, its last path segment; a token stays. */
const tokenIn = (text: string): string =>
  text.split(/[?#]/)[0]?.replace(/\/+$/, '').split('/').at(-1) ?? text;
