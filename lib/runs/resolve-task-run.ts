import { loadGraphOfRun } from '#lib/engine/store/lock-run.ts';
import { resolveTaskRun as resolve } from '#lib/engine/store/resolve-task-run.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext } from '#lib/identity/context.ts';
import { getRun } from './get-run.ts';
import type { ResolveTaskRunInput, Run } from './schema.ts';

/**
 * Records the outcome of a side effect that was unknown: it is done, or has to be executed again. Where it stopped the run,
 * the run resumes (docs/engine.md).
 * @throws AppError `not_found`; `conflict` when there is nothing to resolve, or the run continued without it
 */
export async function resolveTaskRun(
  ctx: ActorContext,
  { id, task_id: taskId, iteration, as }: ResolveTaskRunInput & { id: string; task_id: number },
): Promise<Run> {
  const ref = { id, workspaceId: ctx.workspaceId };
  const graph = await loadGraphOfRun(ctx.db, ref);
  await ctx.db.transaction(async (tx) => {
    await resolve(tx, ref, graph, { taskId, iteration: iteration.join('.'), as });
    await recordAudit(ctx, tx, as === 'done' ? 'run.marked_done' : 'run.resent', { id });
  });
  return getRun(ctx, { id });
}
