import { eq } from 'drizzle-orm';
import { taskRuns } from '#lib/engine/schema/runs.ts';
import type { TaskRunStatus } from '#lib/engine/run-types.ts';
import type { Context } from '#lib/identity/context.ts';
import { loadRun } from './load-run.ts';

export interface TaskRunStatusOf {
  taskId: number;
  iteration: string;
  status: TaskRunStatus;
}

/** The status of every task run of a run. @throws AppError `not_found` */
export async function listTaskRuns(ctx: Context, runId: string): Promise<TaskRunStatusOf[]> {
  await loadRun(ctx, runId);
  const { taskId, iteration, status } = taskRuns;
  return ctx.db.select({ taskId, iteration, status }).from(taskRuns).where(eq(taskRuns.runId, runId));
}
