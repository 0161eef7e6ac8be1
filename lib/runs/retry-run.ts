import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import { AppError } from '#lib/core/errors.ts';
import { loadGraphOfRun } from '#lib/engine/store/lock-run.ts';
import { resumeRun } from '#lib/engine/store/reopen-run.ts';
import { startAgain } from '#lib/engine/store/start-again.ts';
import { assertWorkflowRuns } from '#lib/events/assert-workflow-runs.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getRun } from './get-run.ts';
import { loadRun } from './load-run.ts';
import type { RetryRunInput, Run } from './schema.ts';

/**
 * Resumes a failed or cancelled run from the task that stopped it, or starts a new run for its event. A task with an unknown
 * outcome is executed again; `resolveTaskRun` can mark it as done instead.
 * @throws AppError `not_found`; `conflict` for a run that cannot be retried; `workflow_not_active` from the start
 */
export async function retryRun(
  ctx: ActorContext,
  { id, from }: RetryRunInput & { id: string },
): Promise<Run> {
  return getRun(ctx, { id: from === 'start' ? await restart(ctx, id) : await resume(ctx, id) });
}

async function resume(ctx: ActorContext, id: string): Promise<string> {
  const ref = { id, workspaceId: ctx.workspaceId };
  const graph = await loadGraphOfRun(ctx.db, ref);
  await ctx.db.transaction(async (tx) => {
    await resumeRun(tx, ref, graph);
    await recordAudit(ctx, tx, 'run.retried', { id });
  });
  return id;
}

async function restart(ctx: ActorContext, id: string): Promise<string> {
  const newRun = await ctx.db.transaction(async (tx) => {
    const started = await startAgain(tx, { id, workspaceId: ctx.workspaceId });
    if (started !== undefined) await recordAudit(ctx, tx, 'run.retried', { id });
    return started;
  });
  if (newRun !== undefined) return newRun;
  const run = await loadRun(ctx, id);
  if (draftRevisionOf(run.version) !== null)
    throw new AppError('conflict', 'This was a run of the draft. Run the draft again in the editor.');
  await assertWorkflowRuns(ctx, run.workflow_id);
  throw new AppError('conflict', `The run is ${run.status}: cancel it before you start it again.`);
}
