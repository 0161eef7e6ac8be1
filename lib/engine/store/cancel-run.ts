import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { isOpenRun, OPEN_TASK_RUN_STATUSES } from '../run-statuses.ts';
import { runCalls, runs, signalWaits, taskRuns } from '#lib/engine/schema/runs.ts';
import type { RunAnswer } from '#lib/engine/engine-deps.ts';
import { ANSWERS_CHANNEL } from './answers.ts';
import { findLockedRun, isTaskRun, lockRun, type RunRecord, type RunRef } from './lock-run.ts';
import { leaveBurst } from './bursts.ts';
import { leaveLines } from './run-lines.ts';
import { parseTaskState } from './task-state.ts';

/**
 * Ends a run: nothing more of it starts; a worker that is executing it can no longer write, and causes no side effect that
 * was not recorded before. The outcome of recorded ones is unknown. In a line the next run has its turn, and a run that called it is
 * woken. The runs that it called itself and waits for are cancelled with it.
 * @param answer the response for a waiting caller
 * @param leavesLine false: the transaction cancels several runs, which leave their lines together (`leaveLines`)
 * @returns the ids of the cancelled runs, its own first; none when it was cancelled before
 * @throws AppError `not_found`; `conflict` when it has ended
 */
export async function cancelRun(
  tx: Transaction,
  ref: RunRef,
  answer: RunAnswer,
  { leavesLine = true }: { leavesLine?: boolean } = {},
): Promise<string[]> {
  const run = await lockRun(tx, ref);
  if (run.status === 'cancelled') return [];
  if (!isOpenRun(run.status))
    throw new AppError('conflict', `The run has ended (${run.status}). There is nothing to cancel.`);
  const cancelled = await endRun(tx, run, answer);
  if (leavesLine && (run.line !== null || cancelled.length > 1)) await leaveLines(tx, cancelled);
  return cancelled;
}

/** @param run locked and open */
async function endRun(tx: Transaction, run: RunRecord, answer: RunAnswer): Promise<string[]> {
  const finishedAt = new Date();
  await tx
    .update(runs)
    .set({ status: 'cancelled', epoch: run.epoch + 1, workerId: null, resumeAt: null, finishedAt })
    .where(eq(runs.id, run.id));
  await endTaskRuns(tx, run.id, finishedAt);
  if (run.status === 'queued' && run.line !== null) await leaveBurst(tx, run.id);
  // From now on it starts no further call (start-call.ts).
  await tx.delete(signalWaits).where(eq(signalWaits.runId, run.id));
  if (run.awaited && run.answer === null) await tellCaller(tx, run.id, answer);
  const called = await tx
    .select({ id: runCalls.runId })
    .from(runCalls)
    .where(and(eq(runCalls.callerRunId, run.id), eq(runCalls.isAwaited, true)))
    .orderBy(runCalls.runId);
  const cancelled = [run.id];
  for (const { id } of called) {
    const inner = await findLockedRun(tx, { id, workspaceId: run.workspaceId });
    if (inner && isOpenRun(inner.status)) cancelled.push(...(await endRun(tx, inner, answer)));
  }
  return cancelled;
}

async function endTaskRuns(tx: Transaction, runId: string, finishedAt: Date): Promise<void> {
  const { taskId, iteration, status, state } = taskRuns;
  const running = await tx
    .select({ taskId, iteration, state })
    .from(taskRuns)
    .where(and(eq(taskRuns.runId, runId), eq(status, 'running')));
  const ended = { resumeAt: null, finishedAt };
  const message = 'The run was cancelled during this task. It is not known whether it happened.';
  for (const taskRun of running) {
    if (!parseTaskState(taskRun.state).inFlight) continue;
    await tx
      .update(taskRuns)
      .set({ ...ended, status: 'outcome_unknown', runText: message, error: { code: 'cancelled', message } })
      .where(isTaskRun(runId, taskRun));
  }
  await tx
    .update(taskRuns)
    .set({ ...ended, status: 'cancelled', runText: 'Cancelled manually.' })
    .where(and(eq(taskRuns.runId, runId), inArray(status, [...OPEN_TASK_RUN_STATUSES])));
}

/** The caller of an after-workflow webhook may wait in any process: the notification reaches it there. */
async function tellCaller(tx: Transaction, runId: string, answer: RunAnswer): Promise<void> {
  await tx
    .update(runs)
    .set({ answer })
    .where(and(eq(runs.id, runId), isNull(runs.answer)));
  await tx.execute(sql`select pg_notify(${ANSWERS_CHANNEL}, ${runId})`);
}
