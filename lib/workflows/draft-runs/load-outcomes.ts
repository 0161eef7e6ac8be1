import { and, eq, inArray } from 'drizzle-orm';
import { taskRuns } from '#lib/engine/schema/runs.ts';
import type { Transaction } from '#lib/identity/context.ts';

/** The tasks of a run, outside loops, that succeeded or were skipped. */
export async function loadOutcomes(
  tx: Transaction,
  runId: string,
): Promise<Map<number, 'succeeded' | 'skipped'>> {
  const { taskId, iteration, status } = taskRuns;
  const rows = await tx
    .select({ taskId, status })
    .from(taskRuns)
    .where(and(eq(taskRuns.runId, runId), eq(iteration, ''), inArray(status, ['succeeded', 'skipped'])));
  return new Map(rows.map((row) => [row.taskId, row.status === 'skipped' ? 'skipped' : 'succeeded']));
}
