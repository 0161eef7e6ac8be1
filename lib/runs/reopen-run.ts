import { and, eq, inArray, sql } from 'drizzle-orm';
import { runs, taskRuns } from '#lib/engine/schema/runs.ts';
import { workflowVersions } from '#lib/engine/schema/workflows.ts';
import { type CompiledGraph, compileGraph } from '#lib/engine/graph.ts';
import type { SavedLoop } from '#lib/engine/run-types.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { stringifyJson } from '#lib/core/json/stringify-json.ts';
import type { JsonObject } from '#lib/core/json/value.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { type OpenTaskRun, planReopening } from './reopen.ts';

export type RunRecord = typeof runs.$inferSelect;

/** The version that a run executes. */
export async function loadGraphOf(tx: Transaction, run: RunRecord): Promise<CompiledGraph> {
  const [version] = await tx
    .select({ graph: workflowVersions.graph })
    .from(workflowVersions)
    .where(and(eq(workflowVersions.workflowId, run.workflowId), eq(workflowVersions.version, run.version)));
  if (!version) throw new Error(`Run ${run.id} has no version.`);
  return compileGraph(version.graph);
}

export async function loadOpenTaskRuns(tx: Transaction, runId: string): Promise<OpenTaskRun[]> {
  const { taskId, iteration, status, error, state } = taskRuns;
  const rows = await tx
    .select({ taskId, iteration, status, error, state })
    .from(taskRuns)
    .where(
      and(eq(taskRuns.runId, runId), inArray(status, ['running', 'failed', 'outcome_unknown', 'cancelled'])),
    );
  return rows.map(({ state: saved, ...row }) => ({
    ...row,
    loop: saved === null ? undefined : (parseJson(saved) as unknown as { loop?: SavedLoop }).loop,
  }));
}

/** Lets a locked run that failed or was cancelled go on, and enqueues it. See `planReopening` for `forgets`. */
export async function reopenRun(
  tx: Transaction,
  run: RunRecord,
  graph: CompiledGraph,
  forgets: (taskRun: OpenTaskRun) => boolean,
): Promise<void> {
  const { forget, resume } = planReopening(graph, await loadOpenTaskRuns(tx, run.id), forgets);
  const ofRun = eq(taskRuns.runId, run.id);
  for (const { taskId, iteration } of forget) {
    await tx
      .delete(taskRuns)
      .where(and(ofRun, eq(taskRuns.taskId, taskId), eq(taskRuns.iteration, iteration)));
  }
  for (const { taskId, iteration, loop } of resume) {
    const state = stringifyJson({ loop: loop as unknown as JsonObject });
    await tx
      .update(taskRuns)
      .set({ status: 'running', state, error: null, runText: null, finishedAt: null, resumeAt: null })
      .where(and(ofRun, eq(taskRuns.taskId, taskId), eq(taskRuns.iteration, iteration)));
  }
  await tx
    .update(runs)
    .set({ status: 'queued', workerId: null, error: null, finishedAt: null, resumeAt: null })
    .where(eq(runs.id, run.id));
  const payload = sql`json_build_object('run_ids', json_build_array(${run.id}::uuid))`;
  await tx.execute(sql`select graphile_worker.add_job('advance', ${payload})`);
}
