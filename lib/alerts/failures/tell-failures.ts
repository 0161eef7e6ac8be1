import { sql } from 'drizzle-orm';
import type { RunError } from '#lib/engine/run-types.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { loadAlertSettings, loadWorkflowAlertSettings } from '../load-settings.ts';
import { recordAlert } from '../record-alert.ts';
import type { AlertRuntime } from '../runtime.ts';
import { describeFailures, type ToldRun } from './describe-failures.ts';
import { claimDueDigests, type FailureMatter, lockFailureState, saveFailureState } from './failure-states.ts';
import { digestFailures, type Telling, weighFailures } from './weigh-failures.ts';

/** Batch size: runs and digests of one transaction. */
const MAX_RUNS = 1000;
const MAX_DIGESTS = 50;
const MINUTE_MS = 60_000;

/**
 * Reports runs that failed since the last call: immediately for a workflow without recent failures, otherwise in its digest.
 * Failures are removed from the list in the transaction that records the alert, so that each is reported once, even after an
 * outage of all workers or with concurrent ones.
 * @returns the number of runs removed from the list
 */
export async function tellFailures(runtime: AlertRuntime, now = new Date()): Promise<number> {
  let total = 0;
  for (;;) {
    const taken = await runtime.db.transaction((tx) => takeFailures(runtime, tx, now));
    total += taken;
    if (taken < MAX_RUNS) break;
  }
  for (;;) {
    const told = await runtime.db.transaction((tx) => tellDigests(runtime, tx, now));
    if (told < MAX_DIGESTS) return total;
  }
}

interface TakenRow extends Record<string, unknown> {
  workflow_id: string;
  workspace_id: string;
  count: number;
  first_at: Date | string;
  run_id: string;
}

async function takeFailures(runtime: AlertRuntime, tx: Transaction, now: Date): Promise<number> {
  const { rows } = await tx.execute<TakenRow>(sql`
    with taken as (
      delete from failed_runs where id = any (array(
        select id from failed_runs order by id limit ${MAX_RUNS} for update skip locked
      ))
      returning *
    )
    select workflow_id, workspace_id, count(*)::int as count, min(failed_at) as first_at,
      (array_agg(run_id order by id desc))[1] as run_id
    from taken group by workflow_id, workspace_id order by workflow_id`);
  const told: Told[] = [];
  for (const row of rows) {
    const each = await weigh(tx, row, now);
    if (each) told.push(each);
  }
  await tellAll(runtime, tx, told, now);
  return rows.reduce((sum, { count }) => sum + count, 0);
}

async function weigh(tx: Transaction, row: TakenRow, now: Date): Promise<Told | null> {
  const matter = { workspaceId: row.workspace_id, workflowId: row.workflow_id };
  const workflowName = await findName(tx, matter.workflowId);
  if (workflowName === null) return null;
  const cooldownMinutes = await cooldownOf(tx, matter);
  const { state } = await lockFailureState(tx, matter);
  const failures = { count: row.count, firstAtMs: new Date(row.first_at).getTime() };
  const weighed = weighFailures(state, failures, {
    nowMs: now.getTime(),
    cooldownMs: cooldownMinutes * MINUTE_MS,
  });
  await saveFailureState(tx, matter, weighed.state, row.run_id);
  if (!weighed.tell) return null;
  return { matter, workflowName, cooldownMinutes, runId: row.run_id, telling: weighed.tell };
}

async function tellDigests(runtime: AlertRuntime, tx: Transaction, now: Date): Promise<number> {
  const due = await claimDueDigests(tx, now, MAX_DIGESTS);
  const told: Told[] = [];
  for (const matter of due) {
    const { state, waitingRunId } = await lockFailureState(tx, matter);
    const weighed = digestFailures(state, now.getTime());
    await saveFailureState(tx, matter, weighed.state, waitingRunId);
    const workflowName = await findName(tx, matter.workflowId);
    if (!weighed.tell || workflowName === null || waitingRunId === null) continue;
    const cooldownMinutes = await cooldownOf(tx, matter);
    told.push({ matter, workflowName, cooldownMinutes, runId: waitingRunId, telling: weighed.tell });
  }
  await tellAll(runtime, tx, told, now);
  return due.length;
}

interface Told {
  matter: FailureMatter;
  workflowName: string;
  cooldownMinutes: number;
  /** The newest. */
  runId: string;
  telling: Telling;
}

/** After all states are locked, and by workspace: see `lockRecipients`. */
async function tellAll(
  runtime: AlertRuntime,
  tx: Transaction,
  told: readonly Told[],
  now: Date,
): Promise<void> {
  const workspaceOf = ({ matter }: Told) => matter.workspaceId;
  for (const each of told.toSorted((a, b) => (workspaceOf(a) < workspaceOf(b) ? -1 : 1)))
    await tell(runtime, tx, each, now);
}

async function tell(runtime: AlertRuntime, tx: Transaction, told: Told, now: Date): Promise<void> {
  const { matter, workflowName, cooldownMinutes, runId, telling } = told;
  const run = await loadRun(tx, runId);
  const { workflowId } = matter;
  const content = describeFailures(telling, { workflowId, workflowName, run, cooldownMinutes });
  await recordAlert(runtime, tx, { ...matter, kind: 'run_failed', content }, now);
}

/** Null: it was deleted, so that its failures no longer matter. */
async function findName(tx: Transaction, workflowId: string): Promise<string | null> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`select name from workflows where id = ${workflowId} and deleted_at is null`,
  );
  return rows[0]?.name ?? null;
}

async function cooldownOf(tx: Transaction, { workspaceId, workflowId }: FailureMatter): Promise<number> {
  const { cooldown_minutes: own } = await loadWorkflowAlertSettings(tx, workflowId);
  return own ?? (await loadAlertSettings(tx, workspaceId)).cooldown_minutes;
}

async function loadRun(tx: Transaction, id: string): Promise<ToldRun> {
  const { rows } = await tx.execute<{ error: RunError | null; task_name: string | null }>(sql`
    select r.error, (
        select task->>'name' from json_array_elements(v.graph->'tasks') task
        where task->>'id' = r.error->>'task_id' limit 1
      ) as task_name
    from runs r
    left join workflow_versions v on v.workflow_id = r.workflow_id and v.version = r.version
    where r.id = ${id}`);
  return { id, error: rows[0]?.error ?? null, taskName: rows[0]?.task_name ?? null };
}
