import type { Context } from '#lib/identity/context.ts';
import { firstIdOfDay, LAST_RUN, loadWorkflowRows, runsToday } from './load-workflow-rows.ts';
import { ROWS_A_PAGE, type WorkflowPage } from './row-schema.ts';
import { searchWorkflows, workflowSearchSchema } from './search-workflows.ts';
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
  const [keys, found] = await Promise.all([
    loadKeys(ctx, order, now),
    searched.success ? searchWorkflows(ctx, searched.data) : [],
  ]);
  const foundBy = new Map(found.map((each) => [each.id, each]));
  const matching = filterWorkflows(keys, { text, tag, foundIds: new Set(foundBy.keys()) });
  const { ids, next_cursor } = pageOfWorkflows(matching, { order, limit, cursor });
  const rows = await loadWorkflowRows(ctx, ids, now);
  return {
    data: rows.map((row) => ({ ...row, foundBy: foundBy.get(row.id) })),
    next_cursor,
    matching: matching.length,
    total: keys.length,
    tags: listTags(keys),
  };
}

async function loadKeys(ctx: Reader, order: SortOrder, now: Date): Promise<WorkflowKey[]> {
  const values = order === 'runs_today' ? [ctx.workspaceId, firstIdOfDay(now)] : [ctx.workspaceId];
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
