import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { CompiledGraph } from '../graph.ts';
import { type OpenTaskRun, planReopening } from '../plan-reopening.ts';
import { addAdvanceJob } from './advance-job.ts';
import { runs, taskRuns } from '../schema/runs.ts';
import { isTaskRun, lockRun, type RunRef } from './lock-run.ts';
import { formatTaskState, parseTaskState } from './task-state.ts';

const ENQUEUE = sql.raw(`select ${addAdvanceJob('json_build_array(run.id)')} from run`);

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
  const { status } = await lockRun(tx, ref);
  if (status !== 'failed' && status !== 'cancelled') {
    const fix = status === 'succeeded' ? ' Send {"from":"start"} to start it again.' : '';
    throw new AppError(
      'conflict',
      `The run is ${status}: only a failed or cancelled run can be resumed.${fix}`,
    );
  }
  await reopenRun(tx, ref.id, graph, () => true);
}

/** Lets a locked run that failed or was cancelled continue, and enqueues it. For `forgets` see `planReopening`. */
export async function reopenRun(
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
  await tx.execute(sql`with run as (select ${runId}::uuid as id) ${ENQUEUE}`);
}

/** The task runs of a run that neither succeeded nor were skipped, and do not wait. */
export async function loadOpenTaskRuns(db: Pick<Database, 'select'>, runId: string): Promise<OpenTaskRun[]> {
  const { taskId, iteration, status, error, state } = taskRuns;
  const rows = await db
    .select({ taskId, iteration, status, error, state })
    .from(taskRuns)
    .where(
      and(eq(taskRuns.runId, runId), inArray(status, ['running', 'failed', 'outcome_unknown', 'cancelled'])),
    );
  return rows.map(({ state: saved, ...row }) => ({ ...row, loop: parseTaskState(saved).loop }));
}
