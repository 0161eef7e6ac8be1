import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import type { CompiledGraph } from '#lib/engine/graph.ts';
import { isLive, keyOf, type OpenTaskRun, planReopening, stops } from '#lib/engine/plan-reopening.ts';
import { isOpenRun } from '#lib/engine/run-statuses.ts';
import { runs, taskRuns } from '#lib/engine/schema/runs.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { isTaskRun, lockRun, type RunRef } from './lock-run.ts';
import { ENTER_AND_ENQUEUE } from './run-lines.ts';
import { formatTaskState, parseTaskState } from './task-state.ts';

/** Which task runs `resumeRun` would execute again. */
export async function listTaskRunsToRepeat(
  db: Database,
  runId: string,
  graph: CompiledGraph,
): Promise<OpenTaskRun[]> {
  return planReopening(graph, await loadOpenTaskRuns(db, runId), () => true).forget;
}

/**
 * Lets a failed or cancelled run continue from what stopped it.
 * @param graph of its version (`loadGraphOfRun`)
 * @throws AppError `not_found`; `conflict` for a run that neither failed nor was cancelled
 */
export async function resumeRun(tx: Transaction, ref: RunRef, graph: CompiledGraph): Promise<void> {
  const { status, contentsRemovedAt } = await lockRun(tx, ref);
  if (contentsRemovedAt !== null) throw contentsRemoved('resumed');
  if (status !== 'failed' && status !== 'cancelled') {
    const fix = status === 'succeeded' ? ' Send {"from":"start"} to start it again.' : '';
    throw new AppError(
      'conflict',
      `The run is ${status}: only a failed or cancelled run can be resumed.${fix}`,
    );
  }
  await reopenRun(tx, ref.id, graph, () => true);
}

/** Retention removed what the run's tasks need of each other. @param what cannot be done with it */
const contentsRemoved = (what: string): AppError =>
  new AppError(
    'conflict',
    `The contents of this run were removed after their retention, so it can’t be ${what}.`,
  );

/** Lets a locked run that failed or was cancelled continue, and enqueues it, in a line behind all others. For `forgets` see `planReopening`. */
async function reopenRun(
  tx: Transaction,
  runId: string,
  graph: CompiledGraph,
  forgets: (taskRun: OpenTaskRun) => boolean,
): Promise<void> {
  const { forget, resume } = planReopening(graph, await loadOpenTaskRuns(tx, runId), forgets);
  for (const taskRun of forget) await tx.delete(taskRuns).where(isTaskRun(runId, taskRun));
  for (const taskRun of resume) {
    const state = formatTaskState({ loop: taskRun.loop });
    await tx
      .update(taskRuns)
      .set({ status: 'running', state, error: null, runText: null, finishedAt: null, resumeAt: null })
      .where(isTaskRun(runId, taskRun));
  }
  await tx
    .update(runs)
    .set({ status: 'queued', workerId: null, error: null, finishedAt: null, resumeAt: null })
    .where(eq(runs.id, runId));
  await tx.execute(
    sql`with run as (select id, workflow_id, line from runs where id = ${runId}) ${sql.raw(ENTER_AND_ENQUEUE)}`,
  );
}

/** The task runs of a run that neither succeeded nor were skipped, and do not wait. */
async function loadOpenTaskRuns(db: Pick<Database, 'select'>, runId: string): Promise<OpenTaskRun[]> {
  const { taskId, iteration, status, error, state } = taskRuns;
  const rows = await db
    .select({ taskId, iteration, status, error, state })
    .from(taskRuns)
    .where(
      and(eq(taskRuns.runId, runId), inArray(status, ['running', 'failed', 'outcome_unknown', 'cancelled'])),
    );
  return rows.map(({ state: saved, ...row }) => ({ ...row, loop: parseTaskState(saved).loop }));
}

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
  const { status, contentsRemovedAt } = await lockRun(tx, ref);
  if (contentsRemovedAt !== null) throw contentsRemoved(as === 'done' ? 'changed' : 'resumed');
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
