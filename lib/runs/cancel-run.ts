import { and, eq, inArray, isNull, like, not, or, sql } from 'drizzle-orm';
import { runs, taskRuns } from '#lib/engine/schema/runs.ts';
import { ANSWERS_CHANNEL } from '#lib/engine/store/write.ts';
import type { RunAnswer } from '#lib/engine/store-types.ts';
import { AppError, toErrorBody } from '#lib/core/errors.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Transaction } from '#lib/identity/context.ts';
import { getRun } from './get-run.ts';
import { lockRun } from './load-run.ts';
import type { RunRecord } from './reopen-run.ts';
import type { Run } from './schema.ts';

/**
 * Ends a run: nothing more of it starts, and a worker that is executing it writes nothing any more and changes nothing
 * outside that was not recorded before. What was recorded may have happened, so its outcome is unknown. A caller that
 * waits is told.
 * A run that is cancelled already is given as it is.
 * @throws AppError `not_found`; `conflict` when it is over
 */
export async function cancelRun(ctx: ActorContext, { id }: { id: string }): Promise<Run> {
  await ctx.db.transaction(async (tx) => {
    const run = await lockRun(ctx, tx, id);
    if (run.status === 'cancelled') return;
    if (run.status === 'succeeded' || run.status === 'failed') {
      throw new AppError('conflict', `The run has ended (${run.status}). There is nothing to cancel.`);
    }
    const finishedAt = new Date();
    await tx
      .update(runs)
      .set({ status: 'cancelled', epoch: run.epoch + 1, workerId: null, resumeAt: null, finishedAt })
      .where(eq(runs.id, id));
    await endTaskRuns(tx, id, finishedAt);
    await tellCaller(tx, run);
    await recordAudit(ctx, tx, 'run.cancelled', { id });
  });
  return getRun(ctx, { id });
}

async function endTaskRuns(tx: Transaction, runId: string, finishedAt: Date): Promise<void> {
  const ofRun = eq(taskRuns.runId, runId);
  // By its text (see lib/engine/store/write.ts): PostgreSQL's JSON operators fail where an item holds \u0000.
  const inFlight = like(taskRuns.state, '{"in_flight":%');
  const ended = { resumeAt: null, finishedAt };
  await tx
    .update(taskRuns)
    .set({ ...ended, status: 'cancelled', runText: 'Cancelled manually.' })
    .where(
      and(ofRun, inArray(taskRuns.status, ['running', 'waiting']), or(isNull(taskRuns.state), not(inFlight))),
    );
  const message = 'The run was cancelled during this task. It is not known whether it happened.';
  await tx
    .update(taskRuns)
    .set({ ...ended, status: 'outcome_unknown', runText: message, error: { code: 'cancelled', message } })
    .where(and(ofRun, eq(taskRuns.status, 'running')));
}

/** The caller of an after-workflow webhook may wait in any process: the notification reaches it there. */
async function tellCaller(tx: Transaction, run: RunRecord): Promise<void> {
  if (!run.awaited || run.answer !== null) return;
  const { error } = toErrorBody(new AppError('workflow_failed', 'The workflow was cancelled.'));
  const body = JSON.stringify({ error: { ...error, run_id: run.id } });
  const answer: RunAnswer = { status: 500, contentType: 'application/json', body };
  await tx
    .update(runs)
    .set({ answer })
    .where(and(eq(runs.id, run.id), isNull(runs.answer)));
  await tx.execute(sql`select pg_notify(${ANSWERS_CHANNEL}, ${run.id})`);
}
