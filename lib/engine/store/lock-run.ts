import { and, eq } from 'drizzle-orm';
import type { Database } from '#lib/core/db/client.ts';
import { AppError } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import type { CompiledGraph } from '../graph.ts';
import { runs, taskRuns } from '../schema/runs.ts';
import { loadGraph } from './load-version.ts';

/** A run of a workspace: runs of other workspaces are never found. */
export interface RunRef {
  id: string;
  workspaceId: string;
}

export type RunRecord = typeof runs.$inferSelect;

/** @param why where it is known */
export const noSuchRun = (why = 'This run does not exist.'): AppError => new AppError('not_found', why);

const isRun = ({ id, workspaceId }: RunRef) => and(eq(runs.id, id), eq(runs.workspaceId, workspaceId));

/** SQL condition of one task run. */
export const isTaskRun = (runId: string, { taskId, iteration }: { taskId: number; iteration: string }) =>
  and(eq(taskRuns.runId, runId), eq(taskRuns.taskId, taskId), eq(taskRuns.iteration, iteration));

/** Reads a run and locks it until the transaction ends. */
export async function findLockedRun(tx: Transaction, ref: RunRef): Promise<RunRecord | undefined> {
  const [row] = isId(ref.id) ? await tx.select().from(runs).where(isRun(ref)).for('update') : [];
  return row;
}

/** The same. @throws AppError `not_found` */
export async function lockRun(tx: Transaction, ref: RunRef): Promise<RunRecord> {
  const row = await findLockedRun(tx, ref);
  if (!row) throw noSuchRun();
  return row;
}

/**
 * The graph of the version that a run executes. Load it before locking the run: a transaction that needs a second connection
 * of its pool could deadlock.
 * @throws AppError `not_found`
 */
export async function loadGraphOfRun(db: Database, ref: RunRef): Promise<CompiledGraph> {
  const { workflowId, version } = runs;
  const [row] = isId(ref.id) ? await db.select({ workflowId, version }).from(runs).where(isRun(ref)) : [];
  if (!row) throw noSuchRun();
  return loadGraph(db.$client, row.workflowId, row.version);
}
