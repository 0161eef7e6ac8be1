import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isId, newId } from '#lib/core/ids.ts';
import { assertWorkflowRuns } from '#lib/events/assert-workflow-runs.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getRun } from './get-run.ts';
import { loadRun, lockRun } from './load-run.ts';
import { loadGraphOf, reopenRun } from './reopen-run.ts';
import type { RetryRunInput, Run } from './schema.ts';

/**
 * Lets a failed or cancelled run go on from the task that stopped it, or starts a new run for its event.
 * A task whose outcome is unknown is executed again; `resolveTaskRun` says instead that it was done.
 * @throws AppError `not_found`; `conflict` for a run that cannot be retried; `workflow_not_active` from the start
 */
export async function retryRun(
  ctx: ActorContext,
  { id, from }: RetryRunInput & { id: string },
): Promise<Run> {
  return from === 'start' ? startAgain(ctx, id) : goOn(ctx, id);
}

async function goOn(ctx: ActorContext, id: string): Promise<Run> {
  await ctx.db.transaction(async (tx) => {
    const run = await lockRun(ctx, tx, id);
    if (run.status !== 'failed' && run.status !== 'cancelled') {
      const fix = run.status === 'succeeded' ? ' Send {"from":"start"} to start it again.' : '';
      throw new AppError(
        'conflict',
        `The run is ${run.status}: only a failed or cancelled run can be resumed.${fix}`,
      );
    }
    await reopenRun(tx, run, await loadGraphOf(tx, run), () => true);
    await recordAudit(ctx, tx, 'run.retried', { id });
  });
  return getRun(ctx, { id });
}

const startAgainOf = (id: string, workspaceId: string, newRun: string): SQL => sql`
with source as (
  select r.id, r.workspace_id, r.workflow_id, r.event_id, w.published_version from runs r
  join workflows w on w.id = r.workflow_id and w.deleted_at is null and w.active and w.published_version is not null
  where r.id = ${id} and r.workspace_id = ${workspaceId} and r.status in ('succeeded', 'failed', 'cancelled')
), new_run as (
  insert into runs (id, workspace_id, workflow_id, version, event_id, created_at, retry_of)
  select ${newRun}::uuid, workspace_id, workflow_id, published_version, event_id, now(), id from source
)
select graphile_worker.add_job('advance', json_build_object('run_ids', json_build_array(${newRun}::uuid))) as job from source`;

async function startAgain(ctx: ActorContext, id: string): Promise<Run> {
  const newRun = newId();
  const isStarted =
    isId(id) &&
    (await ctx.db.transaction(async (tx) => {
      const { rows } = await tx.execute(startAgainOf(id, ctx.workspaceId, newRun));
      if (rows.length > 0) await recordAudit(ctx, tx, 'run.retried', { id });
      return rows.length > 0;
    }));
  if (!isStarted) {
    const run = await loadRun(ctx, id);
    await assertWorkflowRuns(ctx, run.workflow_id);
    throw new AppError('conflict', `The run is ${run.status}: cancel it before you start it again.`);
  }
  return getRun(ctx, { id: newRun });
}
