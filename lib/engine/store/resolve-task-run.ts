import { sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { CompiledGraph } from '../graph.ts';
import { isLive, keyOf, type OpenTaskRun, stops } from '../plan-reopening.ts';
import { isOpenRun } from '../run-statuses.ts';
import { taskRuns } from '../schema/runs.ts';
import { isTaskRun, lockRun, type RunRef } from './lock-run.ts';
import { loadOpenTaskRuns, reopenRun } from './reopen-run.ts';

type Place = Pick<OpenTaskRun, 'taskId' | 'iteration'>;

/**
 * Records the outcome of a side effect that was unknown: it is done, or has to be executed again. Where it stopped the run,
 * the run continues (docs/engine.md).
 * @param graph of the run's version (`loadGraphOfRun`)
 * @throws AppError `not_found`; `conflict` when there is nothing to resolve, or the run continued without it
 */
export async function resolveTaskRun(
  tx: Transaction,
  ref: RunRef,
  graph: CompiledGraph,
  { as, ...place }: Place & { as: 'done' | 'resend' },
): Promise<void> {
  const { status } = await lockRun(tx, ref);
  if (isOpenRun(status))
    throw new AppError('conflict', `The run is ${status}: wait until it has ended, or cancel it first.`);
  const open = await loadOpenTaskRuns(tx, ref.id);
  const byKey = new Map(open.map((taskRun) => [keyOf(taskRun.taskId, taskRun.iteration), taskRun]));
  const target = byKey.get(keyOf(place.taskId, place.iteration));
  if (target?.status !== 'outcome_unknown') throw await whyNotUnknown(tx, ref.id, place);
  const stopped = status !== 'succeeded' && stops(graph, target) && isLive(graph, byKey, target);
  if (as === 'resend' && !stopped) {
    throw new AppError(
      'conflict',
      'The run continued without this task. Retry with {"from":"start"} to start it again.',
    );
  }
  if (as === 'done') await markAsDone(tx, ref.id, place);
  const isTarget = ({ taskId, iteration }: OpenTaskRun): boolean =>
    taskId === place.taskId && iteration === place.iteration;
  if (stopped) await reopenRun(tx, ref.id, graph, isTarget);
}

async function whyNotUnknown(tx: Transaction, runId: string, place: Place): Promise<AppError> {
  const [row] = await tx.select({ status: taskRuns.status }).from(taskRuns).where(isTaskRun(runId, place));
  return row
    ? new AppError(
        'conflict',
        `The task is ${row.status}: only one whose outcome is unknown can be resolved.`,
      )
    : new AppError('not_found', 'The run has not executed this task in this iteration.');
}

async function markAsDone(tx: Transaction, runId: string, place: Place): Promise<void> {
  const output = sql<string>`coalesce(${taskRuns.output}, '{}')`;
  await tx
    .update(taskRuns)
    .set({ status: 'succeeded', runText: 'Marked as done manually.', output, error: null })
    .where(isTaskRun(runId, place));
}
