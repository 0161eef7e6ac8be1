// Pinned outputs belong to editing a draft, as saves do: the audit log only has runs and publishing.
import { and, eq } from 'drizzle-orm';
import type { PinnedOutput } from '#lib/engine/draft-run.ts';
import { pinnedOutputs } from '#lib/engine/schema/drafts.ts';
import { workflows } from '#lib/engine/schema/workflows.ts';
import { taskRuns } from '#lib/engine/schema/runs.ts';
import { parseTaskState } from '#lib/engine/store/task-state.ts';
import { AppError } from '#lib/core/errors.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { loadRun } from '#lib/runs/get-run.ts';
import { lockWorkflow } from '../load-workflow.ts';

const MAX_OUTPUT_CHARACTERS = 1_000_000;

/** A workflow's pins, by task id. */
export async function loadPins(
  db: Pick<Transaction, 'select'>,
  workflowId: string,
): Promise<Record<number, PinnedOutput>> {
  const rows = await db.select().from(pinnedOutputs).where(eq(pinnedOutputs.workflowId, workflowId));
  return Object.fromEntries(
    rows.map(({ taskId, output, runText, branch }): [number, PinnedOutput] => [
      taskId,
      branch === null ? { output, runText } : { output, runText, branch },
    ]),
  );
}

/** The tasks of a workflow with pinned outputs; none for another workspace's. */
export async function listPinnedTasks(ctx: Context, { id }: { id: string }): Promise<number[]> {
  const rows = await ctx.db
    .select({ taskId: pinnedOutputs.taskId })
    .from(pinnedOutputs)
    .innerJoin(workflows, eq(workflows.id, pinnedOutputs.workflowId))
    .where(and(eq(workflows.id, id), eq(workflows.workspaceId, ctx.workspaceId)));
  return rows.map(({ taskId }) => taskId);
}

/**
 * Pins a task's output of a run: runs of the draft use it instead of executing the task.
 * @throws AppError `not_found`; `invalid_request` for an output that cannot be pinned
 */
export const pinOutput = (
  ctx: Context,
  { id, task_id, run_id }: { id: string; task_id: number; run_id: string },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(ctx, tx, id);
    const run = await loadRun(ctx, run_id);
    if (run.workflow_id !== workflow.id) throw new AppError('not_found', 'This workflow has no such run.');
    const pin = await readPin(tx, run.id, task_id);
    const { workflowId, taskId } = pinnedOutputs;
    await tx
      .insert(pinnedOutputs)
      .values({ workflowId: workflow.id, taskId: task_id, ...pin })
      .onConflictDoUpdate({ target: [workflowId, taskId], set: { ...pin, pinnedAt: new Date() } });
  });

/** Runs of the draft execute the task again. @throws AppError `not_found` */
export const unpinOutput = (ctx: Context, { id, task_id }: { id: string; task_id: number }): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const workflow = await lockWorkflow(ctx, tx, id);
    const { workflowId, taskId } = pinnedOutputs;
    await tx.delete(pinnedOutputs).where(and(eq(workflowId, workflow.id), eq(taskId, task_id)));
  });

/** For a task in a loop, of the first item. */
async function readPin(tx: Transaction, runId: string, taskId: number) {
  const [row] = await tx
    .select()
    .from(taskRuns)
    .where(and(eq(taskRuns.runId, runId), eq(taskRuns.taskId, taskId), eq(taskRuns.status, 'succeeded')))
    .orderBy(taskRuns.iteration)
    .limit(1);
  if (!row) throw new AppError('invalid_request', 'Only the output of a task that succeeded can be pinned.');
  if (row.output === null || parseTaskState(row.state).loop)
    throw new AppError('invalid_request', 'The output of a trigger or a loop cannot be pinned.');
  if (row.output.length > MAX_OUTPUT_CHARACTERS)
    throw new AppError('invalid_request', 'This output is too large to be pinned.');
  return { output: row.output, runText: row.runText ?? '', branch: row.branch };
}
