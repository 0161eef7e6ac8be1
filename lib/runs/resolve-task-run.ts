import { and, eq, sql } from 'drizzle-orm';
import { taskRuns } from '#lib/engine/schema/runs.ts';
import { AppError } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { getRun } from './get-run.ts';
import { lockRun } from './load-run.ts';
import { isLive, keyOf, type OpenTaskRun, stops } from './reopen.ts';
import { loadGraphOf, loadOpenTaskRuns, reopenRun } from './reopen-run.ts';
import type { ResolveTaskRunInput, Run } from './schema.ts';

/**
 * Says what became of a side effect whose outcome is unknown: it was done, or it is to be executed again. Where it
 * stopped the run, the run goes on (docs/engine.md).
 * @throws AppError `not_found`; `conflict` when there is nothing to resolve, or the run went on without it
 */
export async function resolveTaskRun(
  ctx: ActorContext,
  { id, task_id, iteration, as }: ResolveTaskRunInput & { id: string; task_id: number },
): Promise<Run> {
  await ctx.db.transaction(async (tx) => {
    const run = await lockRun(ctx, tx, id);
    if (run.status === 'queued' || run.status === 'running' || run.status === 'waiting') {
      throw new AppError(
        'conflict',
        `The run is ${run.status}: wait until it has ended, or cancel it first.`,
      );
    }
    const place = iteration.join('.');
    const open = await loadOpenTaskRuns(tx, id);
    const byKey = new Map(open.map((taskRun) => [keyOf(taskRun.taskId, taskRun.iteration), taskRun]));
    const target = byKey.get(keyOf(task_id, place));
    await assertUnknown(tx, id, task_id, place, target);
    const graph = await loadGraphOf(tx, run);
    const stopped =
      run.status !== 'succeeded' &&
      target !== undefined &&
      stops(graph, target) &&
      isLive(graph, byKey, target);
    if (as === 'resend' && !stopped) {
      throw new AppError(
        'conflict',
        'The run continued without this task. Retry with {"from":"start"} to start it again.',
      );
    }
    if (as === 'done') await markAsDone(tx, id, task_id, place);
    const isTarget = (taskRun: OpenTaskRun): boolean =>
      taskRun.taskId === task_id && taskRun.iteration === place;
    if (stopped) await reopenRun(tx, run, graph, isTarget);
    await recordAudit(ctx, tx, as === 'done' ? 'run.marked_done' : 'run.resent', { id });
  });
  return getRun(ctx, { id });
}

async function assertUnknown(
  tx: Transaction,
  runId: string,
  taskId: number,
  iteration: string,
  target: OpenTaskRun | undefined,
): Promise<void> {
  if (target?.status === 'outcome_unknown') return;
  const [row] = await tx
    .select({ status: taskRuns.status })
    .from(taskRuns)
    .where(ofTaskRun(runId, taskId, iteration));
  if (!row) throw new AppError('not_found', 'The run has not executed this task in this iteration.');
  throw new AppError(
    'conflict',
    `The task is ${row.status}: only one whose outcome is unknown can be resolved.`,
  );
}

async function markAsDone(tx: Transaction, runId: string, taskId: number, iteration: string): Promise<void> {
  const output = sql<string>`coalesce(${taskRuns.output}, '{}')`;
  await tx
    .update(taskRuns)
    .set({ status: 'succeeded', runText: 'Marked as done manually.', output, error: null })
    .where(ofTaskRun(runId, taskId, iteration));
}

const ofTaskRun = (runId: string, taskId: number, iteration: string) =>
  and(eq(taskRuns.runId, runId), eq(taskRuns.taskId, taskId), eq(taskRuns.iteration, iteration));
