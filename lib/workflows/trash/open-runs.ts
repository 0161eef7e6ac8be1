// Open runs of a workflow: waiting ones have an index, those in lines and at gates tables, the others are among the newest.
import { sql } from 'drizzle-orm';
import { AppError } from '#lib/core/errors.ts';
import { isOpenRunSql } from '#lib/engine/run-statuses.ts';
import { cancelRun } from '#lib/engine/store/cancel-run.ts';
import { lockBursts } from '#lib/engine/store/bursts.ts';
import { leaveLines } from '#lib/engine/store/run-lines.ts';
import { recordAudit } from '#lib/identity/audit/record-audit.ts';
import type { ActorContext, Context, Transaction } from '#lib/identity/context.ts';
import { CUSTOMER_KEYS } from '#lib/messaging/customers/customer-names.ts';
import { renderRunError } from '#lib/webhooks/render-response.ts';
import { newestOfWorkflow } from '../newest-events.ts';
import { MAX_COUNTED } from './schema.ts';

/** Queued and running ones are searched among this many. */
const MAX_LOOKED_AT = 10_000;

/** In a line, at the gate, or in a burst that waits for quiet. */
const inLines = (workflow: string): string => `
select run_id from run_lines where workflow_id = ${workflow} union select run_id from run_gates where workflow_id = ${workflow}
union select g.run_id from workflows w join workspace_gates g on g.workspace_id = w.workspace_id
  join runs r on r.id = g.run_id and r.workflow_id = w.id where w.id = ${workflow}
union select run_id from webhook_bursts where workflow_id = ${workflow}`;

/** @param workflow SQL of its id */
const openRunsOf = (workflow: string): string => `
select r.id from runs r where r.workflow_id = ${workflow} and r.rare_status = 'waiting'
union all
select l.run_id from (${inLines(workflow)}) l join runs r on r.id = l.run_id where r.status <> 'waiting'
union all
select n.id from (
  select r.id, r.status from runs r ${newestOfWorkflow('r', workflow)} limit ${MAX_LOOKED_AT}
) n where n.status <> 'waiting' and ${isOpenRunSql('n.status')} and n.id not in (${inLines(workflow)})`;

const COUNT = `
with open as materialized (
  select id from (${openRunsOf('$1')}) found limit ${MAX_COUNTED}
)
select count(*)::int as "runsInProgress", (
  select count(distinct w.key)::int from signal_waits w join open o on o.id = w.run_id
  where w.is_open and w.key like '${CUSTOMER_KEYS}%'
) as "waitingCustomers"
from open`;

export interface OpenRuns {
  runsInProgress: number;
  /** Number of customers with an unanswered question. */
  waitingCustomers: number;
}

/** Counts up to `MAX_COUNTED`. The caller has checked the workspace. */
export async function countOpenRuns(ctx: Pick<Context, 'db'>, workflowId: string): Promise<OpenRuns> {
  const { rows } = await ctx.db.$client.query<OpenRuns>(COUNT, [workflowId]);
  return rows[0] ?? { runsInProgress: 0, waitingCustomers: 0 };
}

/**
 * Cancels open runs of a workflow, in the transaction that deletes it.
 * @param workflowId of a row that was read
 * @returns their number
 */
export async function cancelOpenRuns(
  ctx: Pick<ActorContext, 'workspaceId' | 'actor'>,
  tx: Transaction,
  workflowId: string,
): Promise<number> {
  const found = await tx.execute<{ id: string }>(sql.raw(openRunsOf(`'${workflowId}'::uuid`)));
  const error = new AppError('workflow_failed', 'The workflow was deleted.');
  const cancelled: string[] = [];
  const ids = found.rows.map((row) => row.id).toSorted();
  // In the order that all locks of several runs have, and before the locks of their lines.
  await tx.execute(sql`select id from runs where id = any(${sql.param(ids)}::uuid[]) order by id for update`);
  await lockBursts(tx, workflowId);
  for (const id of ids) {
    const ended = await cancelUnlessOver(tx, { id, workspaceId: ctx.workspaceId }, error);
    for (const each of ended) await recordAudit(ctx, tx, 'run.cancelled', { id: each });
    cancelled.push(...ended);
  }
  await leaveLines(tx, [...new Set([...ids, ...cancelled])]);
  return cancelled.length;
}

/** A run may end between being found and being locked. */
async function cancelUnlessOver(
  tx: Transaction,
  run: { id: string; workspaceId: string },
  error: AppError,
): Promise<string[]> {
  try {
    return await cancelRun(tx, run, renderRunError(error, run.id), { leavesLine: false });
  } catch (refusal) {
    if (refusal instanceof AppError && refusal.code === 'conflict') return [];
    throw refusal;
  }
}
