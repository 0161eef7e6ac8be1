import { writeInstant } from '#lib/core/time/zones.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { AlertContent } from '#lib/alerts/alert-types.ts';
import { lockAlertState } from '#lib/alerts/failures/failure-states.ts';
import { recordAlert } from '#lib/alerts/record-alert.ts';
import type { AlertRuntime } from '#lib/alerts/runtime.ts';
import { alertStates } from '#lib/alerts/schema.ts';
import { loadAlertSettings, loadWorkflowAlertSettings } from '#lib/alerts/stored-settings.ts';
import { writeDuration } from '#lib/alerts/write-words.ts';
import { queryRows } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { maskNumbersIn, maskSecrets } from '#lib/messaging/mask.ts';
import { explainUndelivered } from '#lib/messaging/sending/find-message.ts';
import type { StatusError } from '#lib/messaging/schema/message-statuses.ts';

interface MarkedWorkflow {
  workspaceId: string;
  workflowId: string;
  /** Null: it was deleted, so that its messages no longer matter. */
  name: string | null;
  /** Of its last alert. */
  toldAt: Date | null;
}

/**
 * Reports runs whose messages were not delivered: those of a workflow together, and again at the earliest after its cool-down. Marks
 * are taken in the transaction that records the alert, so that each is reported once.
 */
export async function checkUndelivered(runtime: AlertRuntime, now = new Date()): Promise<void> {
  for (const workflow of await listMarked(runtime)) {
    const cooldownMinutes = await loadCooldown(runtime, workflow);
    const isDue = (toldAt: Date | null): boolean =>
      toldAt === null || now.getTime() >= toldAt.getTime() + cooldownMinutes * 60_000;
    if (!isDue(workflow.toldAt)) continue;
    await runtime.db.transaction(async (tx) => {
      if (isDue(await lockState(tx, workflow)))
        await report(runtime, tx, { ...workflow, cooldownMinutes }, now);
    });
  }
}

const matterOf = (workflowId: string): string => `undelivered:${workflowId}`;

async function loadCooldown(
  { db }: Pick<AlertRuntime, 'db'>,
  { workspaceId, workflowId }: MarkedWorkflow,
): Promise<number> {
  const { cooldown_minutes: own } = await loadWorkflowAlertSettings(db, workflowId);
  return own ?? (await loadAlertSettings(db, workspaceId)).cooldown_minutes;
}

/** Locks a workflow's state until the transaction ends. @returns the time of its last alert */
async function lockState(tx: Transaction, { workspaceId, workflowId }: MarkedWorkflow): Promise<Date | null> {
  const known = await lockAlertState(tx, workspaceId, matterOf(workflowId));
  return known?.toldAt ?? null;
}

/** Workflows with new marks. Each step reads one mark, however many a workflow has. */
const listMarked = ({ db }: Pick<AlertRuntime, 'db'>): Promise<MarkedWorkflow[]> =>
  queryRows<MarkedWorkflow>(
    db,
    sql`
with recursive marked as (
  (select workflow_id, workspace_id from undelivered_runs where not is_reported order by workflow_id limit 1)
  union all
  select next.workflow_id, next.workspace_id from marked cross join lateral (
    select workflow_id, workspace_id from undelivered_runs
    where not is_reported and workflow_id > marked.workflow_id order by workflow_id limit 1
  ) next
)
select m.workspace_id as "workspaceId", m.workflow_id as "workflowId", w.name, s.told_at as "toldAt"
from marked m left join lateral (
  select name from workflows where id = m.workflow_id and deleted_at is null limit 1
) w on true left join lateral (
  select told_at from alert_states
  where workspace_id = m.workspace_id and matter = 'undelivered:' || m.workflow_id limit 1
) s on true`,
  );

async function report(
  runtime: AlertRuntime,
  tx: Transaction,
  { workspaceId, workflowId, name, cooldownMinutes }: MarkedWorkflow & { cooldownMinutes: number },
  now: Date,
): Promise<void> {
  const runs = await takeMarks(tx, workflowId);
  if (!runs || name === null) return;
  await tx
    .update(alertStates)
    .set({ toldAt: now })
    .where(and(eq(alertStates.workspaceId, workspaceId), eq(alertStates.matter, matterOf(workflowId))));
  const content = (zone: string): AlertContent =>
    describeUndelivered(runs, { workflowId, workflowName: name, cooldownMinutes, zone });
  await recordAlert(runtime, tx, { workspaceId, kind: 'undelivered', workflowId, content }, now);
}

/** The runs of an alert. */
interface UndeliveredRuns {
  count: number;
  firstAt: Date;
  /** The newest. */
  runId: string;
  /** Of its message; null: none was reported, or the message was removed. */
  errors: StatusError[] | null;
}

type TakenRow = Omit<UndeliveredRuns, 'firstAt'> & { firstAt: Date | string };

/** A large send at once takes one statement. @returns undefined where another worker took them */
async function takeMarks(tx: Transaction, workflowId: string): Promise<UndeliveredRuns | undefined> {
  const { rows } = await tx.execute<TakenRow & Record<string, unknown>>(sql`
with taken as (
  update undelivered_runs set is_reported = true where run_id = any (array(
    select run_id from undelivered_runs where workflow_id = ${workflowId} and not is_reported order by run_id for update skip locked
  ))
  returning run_id, workspace_id, message_id, noted_at
), newest as (
  select workspace_id, message_id from taken order by run_id desc limit 1
)
select count(*)::int as count, min(noted_at) as "firstAt", (array_agg(run_id order by run_id desc))[1] as "runId",
  (select (select s.errors from sent_messages s where s.workspace_id = newest.workspace_id and s.message_id = newest.message_id)
    from newest) as errors
from taken having count(*) > 0`);
  return rows[0] && { ...rows[0], firstAt: new Date(rows[0].firstAt) };
}

/** The alert about runs of a workflow whose messages were not delivered. */
function describeUndelivered(
  { count, firstAt, runId, errors }: UndeliveredRuns,
  {
    workflowId,
    workflowName,
    cooldownMinutes,
    zone,
  }: { workflowId: string; workflowName: string; cooldownMinutes: number; zone: string },
): AlertContent {
  const name = `“${workflowName}”`;
  const at = writeInstant(firstAt, zone);
  const reason = maskSecrets(maskNumbersIn(explainUndelivered(errors)));
  return {
    title:
      count === 1
        ? `${name}: a message was not delivered`
        : `${name}: messages of ${count} runs were not delivered`,
    paragraphs: [
      count === 1
        ? `The platform accepted a message of the workflow ${name} and reported at ${at} that it was not delivered. The run itself may have succeeded.`
        : `The platform accepted messages of ${count} runs of the workflow ${name} and reported that they were not delivered, the first at ${at}. The runs themselves may have succeeded.`,
      count === 1 ? `Reason: ${reason}` : `Reason for the newest: ${reason}`,
      `If more messages of this workflow are not delivered, you get them in one alert, ${writeDuration(cooldownMinutes * 60)} from now at the earliest.`,
    ],
    link:
      count === 1
        ? { label: 'Open the run', path: `/runs/${runId}` }
        : {
            label: 'Open the runs that were not delivered',
            path: `/runs?workflow=${workflowId}&status=undelivered`,
          },
    workflowName,
    count,
    since: firstAt.toISOString(),
    runId,
  };
}
