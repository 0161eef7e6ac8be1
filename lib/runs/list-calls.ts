import type { RunStatus } from '#lib/engine/run-types.ts';
import type { Context } from '#lib/identity/context.ts';

/** A loop may have called more. */
const MAX_CALLS = 1000;

const LIST_CALLS = `
select c.run_id, c.task_id, c.iteration, r.workflow_id, r.status from run_calls c join runs r on r.id = c.run_id
where c.caller_run_id = $1 and c.workspace_id = $2 order by c.run_id limit ${MAX_CALLS}`;

/** A run that a task of another one has called. */
export interface CalledRunRow {
  run_id: string;
  task_id: number;
  iteration: string;
  workflow_id: string;
  status: RunStatus;
}

/** The runs that a run has called, in the order of the calls, at most `MAX_CALLS`. */
export async function listCalls(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  runId: string,
): Promise<CalledRunRow[]> {
  return (await ctx.db.$client.query<CalledRunRow>(LIST_CALLS, [runId, ctx.workspaceId])).rows;
}
