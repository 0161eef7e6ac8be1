import { sql } from 'drizzle-orm';
import { newId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { type DraftRunOptions, versionOfDraft } from '../draft-run.ts';
import type { WorkflowGraph } from '../graph-types.ts';
import { draftRuns } from '../schema/drafts.ts';
import { runs } from '../schema/runs.ts';
import { workflowVersions } from '../schema/workflows.ts';
import { addAdvanceJob } from './advance-job.ts';

/**
 * Number of draft runs kept per workflow: lists of production runs skip them, so that there must not be more.
 * lib/workflows/list-workflow-rows.ts relies on it.
 */
export const KEPT_DRAFT_RUNS = 50;

export interface NewDraftRun {
  workspaceId: string;
  workflowId: string;
  eventId: string;
  draft: { revision: number; name: string; graph: WorkflowGraph; sealedBy: number };
  startedBy: string;
  options: DraftRunOptions;
  /** An earlier run of the workflow whose results of these tasks are reused. */
  resumes: { runId: string; taskIds: readonly number[] } | undefined;
}

/** Starts a run of a draft as an unpublished version, and deletes the oldest ones. @returns its id */
export async function startDraftRun(
  tx: Transaction,
  { workspaceId, workflowId, eventId, draft, startedBy, options, resumes }: NewDraftRun,
): Promise<string> {
  const runId = newId();
  const version = versionOfDraft(draft.revision);
  const { name, graph, sealedBy } = draft;
  await tx
    .insert(workflowVersions)
    .values({ workflowId, version, name, graph, sealedBy, createdBy: startedBy })
    .onConflictDoNothing();
  // Nothing is loaded for a run in its first epoch.
  const epoch = resumes ? 1 : 0;
  await tx
    .insert(runs)
    .values({ id: runId, workspaceId, workflowId, version, eventId, epoch, createdAt: new Date() });
  await tx.insert(draftRuns).values({ runId, workspaceId, workflowId, version, options });
  if (resumes) await copyTaskRuns(tx, runId, resumes);
  await tx.execute(
    sql`with run as (select ${runId}::uuid as id) ${sql.raw(`select ${addAdvanceJob('json_build_array(id)')} from run`)}`,
  );
  await pruneDraftRuns(tx, workflowId);
  return runId;
}

async function copyTaskRuns(
  tx: Transaction,
  runId: string,
  { runId: from, taskIds }: NonNullable<NewDraftRun['resumes']>,
): Promise<void> {
  await tx.execute(sql`
insert into task_runs (run_id, task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state, items,
  started_at, finished_at, resume_at)
select ${runId}::uuid, task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state, items,
  started_at, finished_at, resume_at
from task_runs where run_id = ${from} and task_id = any(${sql.param([...taskIds])}::int[])`);
}

/** Deletes the oldest runs of a workflow's draft. */
export async function pruneDraftRuns(tx: Pick<Transaction, 'execute'>, workflowId: string): Promise<void> {
  await tx.execute(sql`
with old as (
  delete from draft_runs where run_id in (
    select run_id from draft_runs where workflow_id = ${workflowId} order by run_id desc offset ${KEPT_DRAFT_RUNS}
  ) returning run_id
), old_task_runs as (
  delete from task_runs where run_id in (select run_id from old)
), old_waits as (
  delete from signal_waits where run_id in (select run_id from old)
), old_marks as (
  delete from undelivered_runs where run_id in (select run_id from old)
), old_calls as (
  delete from run_calls where run_id in (select run_id from old)
)
delete from runs where id in (select run_id from old)`);
  await tx.execute(sql`
delete from workflow_versions v where v.workflow_id = ${workflowId} and v.version < 0 and not exists (
  select 1 from draft_runs d where d.workflow_id = v.workflow_id and d.version = v.version)`);
}
