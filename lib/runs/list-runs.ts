import type { RunStatus } from '#lib/engine/run-types.ts';
import type { Context } from '#lib/workspaces/context.ts';
import { type Page, type PageInput, readCursor, toPage } from '#lib/workspaces/paging.ts';
import { RUN_COLUMNS, type RunRow, toRunSummary } from './run-row.ts';
import type { RunSummary } from './schema.ts';

export interface ListRunsInput extends PageInput {
  workflow_id?: string | undefined;
  status?: RunStatus | undefined;
}

/** Each workflow's newest by the index over it, then the newest of these: nothing else is read. */
const OF_WORKFLOWS = `
select r.* from workflows w cross join lateral (
  select ${RUN_COLUMNS} from runs r
  where r.workflow_id = w.id and r.id < $2 and ($5::text is null or r.status = $5)
  order by r.id desc limit $3
) r
where w.workspace_id = $1 and ($4::uuid is null or w.id = $4)
order by r.id desc limit $3`;

const ofWorkspace = (condition: string): string => `
select ${RUN_COLUMNS} from runs r
where r.workspace_id = $1 and r.id < $2 and ($4::uuid is null or r.workflow_id = $4) and r.status = $5 and ${condition}
order by r.id desc limit $3`;

/** Failed and waiting runs are few among many: each have an index of their own. */
const BY_STATUS: Partial<Record<RunStatus, string>> = {
  failed: ofWorkspace('r.failed_at is not null'),
  waiting: ofWorkspace('r.resume_at is not null'),
};

/** The workspace's runs, newest first; those of deleted workflows too. */
export async function listRuns(
  ctx: Context,
  { limit, cursor, workflow_id, status }: ListRunsInput,
): Promise<Page<RunSummary>> {
  const query = (status && BY_STATUS[status]) ?? OF_WORKFLOWS;
  const values = [ctx.workspaceId, readCursor(cursor), limit + 1, workflow_id ?? null, status ?? null];
  const { rows } = await ctx.db.$client.query<RunRow>(query, values);
  return toPage(rows, limit, toRunSummary);
}
