// Lines: runs of a workflow that are executed one at a time, in the order of their arrival (docs/engine.md, "Lines"). The functions of
// drizzle/0052_run_lines.sql lock a line before they read it: within a transaction after the locks of runs and of signal waits.
import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/core/db/client.ts';
import type { Transaction } from '#lib/identity/context.ts';
import { isOpenRunSql } from '../run-statuses.ts';
import { addAdvanceJob } from './advance-job.ts';

/** The line of a workflow's runs that have this value in common, as a UUID: the beginning of a SHA-256. */
export function toLine(workflowId: string, value: string): string {
  const hex = hash('sha256', JSON.stringify([workflowId, value]), 'hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * CTEs `returned` and `released`: the runs that called ended runs are woken (docs/engine.md, "Calls"); then these leave their lines,
 * and the runs that are first there are enqueued. They are executed where `released` is referenced.
 * @param ended SQL of a query for the ids of the runs, as `id`
 */
export const releaseLines = (ended: string): string => `left_runs as (
  select array_agg(id) as ids from (${ended}) ended having count(*) > 0
), returned as (
  select ${addAdvanceJob('json_agg(caller.run_id)', { isSignaled: true })} as job
  from left_runs cross join lateral return_calls(left_runs.ids) caller(run_id) having count(*) > 0
), released as (
  select ${addAdvanceJob('json_agg(next.run_id)')} as job
  from left_runs cross join lateral leave_lines(left_runs.ids) next(run_id)
  where (select count(job) from returned) >= 0 having count(*) > 0
)`;

const LEAVE = sql.raw(addAdvanceJob('json_agg(next)'));
const RETURN = sql.raw(addAdvanceJob('json_agg(caller)', { isSignaled: true }));

/**
 * Wakes the callers of runs that end in a transaction, and removes these from their lines: the next ones get their job. Lock all runs of
 * the transaction before.
 */
export async function leaveLines(tx: Transaction, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  const ids = sql`${sql.param([...runIds])}::uuid[]`;
  await tx.execute(sql`select ${RETURN} from return_calls(${ids}) caller having count(*) > 0`);
  await tx.execute(sql`select ${LEAVE} from leave_lines(${ids}) next having count(*) > 0`);
}

const enterAndEnqueue = (isCalled: boolean): string => `, entered as materialized (
  select e.has_turn from run cross join lateral enter_lines(
    array[run.id], array[run.workflow_id], array[run.line], array[false], ${isCalled}
  ) e
  where run.line is not null
)
select id, not exists (select from entered where not has_turn) as has_turn,
  case when not exists (select from entered where not has_turn) then ${addAdvanceJob('json_build_array(id)')} end as job
from run`;

/**
 * CTEs after `run`, one row with a run's `id`, `workflow_id` and `line`: adds it to the end of its line, if it has one, and enqueues it
 * if it is the first one there.
 */
export const ENTER_AND_ENQUEUE = enterAndEnqueue(false);
/** The same for a run that another one calls, which is not at the gate of its workspace. */
export const ENTER_CALLED_AND_ENQUEUE = enterAndEnqueue(true);

/** SQL: whether runs of a workflow enter a gate, its own or that of its workspace. @param workflow alias of its row */
export const hasGateSql = (workflow: string): string =>
  `(${workflow}.max_concurrent_runs is not null or ${workflow}.holds_runs or ${workflow}.workspace_id = any(array(select id from workspaces where max_concurrent_runs is not null)))`;

/** Locks lines, and gates, before several statements of a transaction enter them. Those that are undefined or null are none. */
export async function lockLines(
  client: Queryable | Transaction,
  ofRuns: readonly (string | null | undefined)[],
): Promise<void> {
  const lines = ofRuns.filter((line) => typeof line === 'string');
  if (lines.length === 0) return;
  if ('execute' in client) await client.execute(sql`select lock_lines(${sql.param(lines)}::uuid[])`);
  else await client.query('select lock_lines($1::uuid[])', [lines]);
}

/** Runs of one job: those of a gate that opens for many begin in their order. */
const RUNS_A_JOB = 24;
const OPEN_GATE = sql.raw(
  addAdvanceJob('json_agg(run_id order by number)', { runAt: `now() + job * interval '1 microsecond'` }),
);

/** Lets runs through the gate of a workflow whose width was changed in this transaction, and enqueues them in their order. */
export const openGate = (tx: Transaction, workflowId: string): Promise<void> =>
  open(tx, workflowId, 'open_gate');

/** The same for a workspace. */
export const openWorkspaceGate = (tx: Transaction, workspaceId: string): Promise<void> =>
  open(tx, workspaceId, 'open_workspace_gate');

async function open(tx: Transaction, id: string, by: 'open_gate' | 'open_workspace_gate'): Promise<void> {
  await lockLines(tx, [id]);
  await tx.execute(sql`
with opened as (
  select run_id, number, number / ${RUNS_A_JOB}::int as job
  from ${sql.raw(by)}(${id}::uuid) with ordinality as gate(run_id, number)
)
select ${OPEN_GATE} from opened group by job order by job`);
}

const SETTLE = `
with ${releaseLines(`select l.run_id as id from (
    select run_id from run_lines where has_turn union select run_id from run_gates where is_through
    union select run_id from workspace_gates where is_through
  ) l left join runs r on r.id = l.run_id
  where r.id is null or not (${isOpenRunSql('r.status')})`)}
select count(job) from released`;

/**
 * Lets lines continue whose first run has ended without leaving it, as one does that a process of an older version ends.
 */
export async function settleLines(client: Queryable): Promise<void> {
  await client.query(SETTLE);
}
