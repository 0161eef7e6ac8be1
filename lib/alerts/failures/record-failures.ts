import { writeInstant } from '#lib/core/time/zones.ts';
import { sql } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import { recordAlert } from '#lib/alerts/record-alert.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { loadAlertSettings, loadWorkflowAlertSettings } from '#lib/alerts/stored-settings.ts';
import { takeNoted } from '#lib/alerts/take-noted.ts';
import { writeDuration } from '#lib/alerts/write-words.ts';
import { hideLinks } from '#lib/approvals/approval-link.ts';
import type { RunError } from '#lib/engine/run-types.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { maskNumbersIn, maskSecrets } from '#lib/messaging/mask.ts';
import { adviseOnFailure, WANTED_FAILURES } from '#lib/runs/failure-advice.ts';
import { type FailureMatter, listDueDigests, lockFailureState, saveFailureState } from './failure-states.ts';
import { digestFailures, type Telling, weighFailures } from './weigh-failures.ts';

/** Batch size: runs and digests of one transaction. */
const MAX_RUNS = 1000;
const MAX_DIGESTS = 50;
const MINUTE_MS = 60_000;

/**
 * Reports runs that failed since the last call, except wanted failures (`WANTED_FAILURES`): immediately for a workflow without recent failures, otherwise in its digest.
 * Failures are removed from the list in the transaction that records the alert, so that each is reported once, even after an
 * outage of all workers or with concurrent ones.
 * @returns the number of runs removed from the list
 */
export async function recordFailures(runtime: AlertRuntime, now = new Date()): Promise<number> {
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

interface OfWorkflow extends Record<string, unknown> {
  workflow_id: string;
  workspace_id: string;
  count: number;
}

interface TakenRow extends OfWorkflow {
  /** Of `count`, wanted failures. */
  wanted: number;
  /** Of the others; null: there are none. */
  first_at: Date | string | null;
  run_id: string | null;
}

interface FailedRuns extends OfWorkflow {
  firstAt: Date | string;
  /** The newest. */
  runId: string;
}

async function takeFailures(runtime: AlertRuntime, tx: Transaction, now: Date): Promise<number> {
  const { rows } = await tx.execute<TakenRow>(sql`
    with taken as (${takeNoted('failed_runs', MAX_RUNS)})
    select workflow_id, workspace_id, count(*)::int as count, (count(*) filter (where is_wanted))::int as wanted,
      min(failed_at) filter (where not is_wanted) as first_at,
      (array_agg(run_id order by id desc) filter (where not is_wanted))[1] as run_id
    from (
      select taken.*, coalesce(r.error->>'code' in ${[...WANTED_FAILURES]}, false) as is_wanted
      from taken left join runs r on r.id = taken.run_id
    ) failed group by workflow_id, workspace_id order by workflow_id`);
  const told: Reported[] = [];
  for (const { count, wanted, first_at: firstAt, run_id: runId, ...matter } of rows) {
    if (firstAt === null || runId === null) continue;
    const each = await weigh(tx, { ...matter, count: count - wanted, firstAt, runId }, now);
    if (each) told.push(each);
  }
  await tellAll(runtime, tx, told, now);
  return rows.reduce((sum, { count }) => sum + count, 0);
}

async function weigh(tx: Transaction, row: FailedRuns, now: Date): Promise<Reported | null> {
  const matter = { workspaceId: row.workspace_id, workflowId: row.workflow_id };
  const workflowName = await findName(tx, matter.workflowId);
  if (workflowName === null) return null;
  const cooldownMinutes = await cooldownOf(tx, matter);
  const { state } = await lockFailureState(tx, matter);
  const failures = { count: row.count, firstAtMs: new Date(row.firstAt).getTime() };
  const weighed = weighFailures(state, failures, {
    nowMs: now.getTime(),
    cooldownMs: cooldownMinutes * MINUTE_MS,
  });
  await saveFailureState(tx, matter, weighed.state, row.runId);
  if (!weighed.tell) return null;
  return { matter, workflowName, cooldownMinutes, runId: row.runId, telling: weighed.tell };
}

async function tellDigests(runtime: AlertRuntime, tx: Transaction, now: Date): Promise<number> {
  const due = await listDueDigests(tx, now, MAX_DIGESTS);
  const told: Reported[] = [];
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

interface Reported {
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
  told: readonly Reported[],
  now: Date,
): Promise<void> {
  const workspaceOf = ({ matter }: Reported) => matter.workspaceId;
  for (const each of told.toSorted((a, b) => (workspaceOf(a) < workspaceOf(b) ? -1 : 1)))
    await tell(runtime, tx, each, now);
}

async function tell(runtime: AlertRuntime, tx: Transaction, told: Reported, now: Date): Promise<void> {
  const { matter, workflowName, cooldownMinutes, runId, telling } = told;
  const run = await loadRun(tx, runId);
  const { workflowId } = matter;
  const content = (zone: string): AlertContent =>
    describeFailures(telling, { workflowId, workflowName, run, cooldownMinutes, zone });
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

async function loadRun(tx: Transaction, id: string): Promise<ReportedRun> {
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

/** The newest failed run, which the alert links to. */
interface ReportedRun {
  id: string;
  error: RunError | null;
  /** The failed task; null: the run as a whole failed. */
  taskName: string | null;
}

const LONGEST_REASON = 500;

/** The alert about a workflow's failed runs. */
export function describeFailures(
  { count, sinceMs, isDigest }: Telling,
  {
    workflowId,
    workflowName,
    run,
    cooldownMinutes,
    zone,
  }: {
    workflowId: string;
    workflowName: string;
    run: ReportedRun;
    cooldownMinutes: number;
    /** Of instants. */
    zone: string;
  },
): AlertContent {
  const name = `“${workflowName}”`;
  const at = writeInstant(new Date(sinceMs), zone);
  const where = run.taskName === null ? '' : ` at the task “${run.taskName}”`;
  const reason = shorten(hideLinks(maskSecrets(maskNumbersIn(run.error?.message ?? 'The run failed.'))));
  const many = count === 1 ? 'a run' : `${count} runs`;
  const happened = isDigest
    ? `${count === 1 ? 'Another run' : `${count} more runs`} of the workflow ${name} failed since ${at}.`
    : count === 1
      ? `A run of the workflow ${name} failed${where}, at ${at}.`
      : `${count} runs of the workflow ${name} failed, the first at ${at}.`;
  const why = count === 1 && !isDigest ? `Reason: ${reason}` : `The newest failed${where}: ${reason}`;
  return {
    title: isDigest
      ? `${name}: ${count} more failed ${count === 1 ? 'run' : 'runs'}`
      : `${name}: ${many} failed`,
    paragraphs: [
      happened,
      why,
      `${adviseOnFailure(run.error)}`,
      `If more runs of this workflow fail, you get them in one alert, ${writeDuration(cooldownMinutes * 60)} from now at the earliest.`,
    ],
    link:
      count === 1
        ? { label: 'Open the run', path: `/runs/${run.id}` }
        : { label: 'Open the failed runs', path: `/runs?workflow=${workflowId}&status=failed` },
    workflowName,
    count,
    since: new Date(sinceMs).toISOString(),
    runId: run.id,
  };
}

const shorten = (text: string): string =>
  text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)}…` : text;
