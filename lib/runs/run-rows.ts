import type { JsonValue } from '#lib/core/json/value.ts';
import { draftRevisionOf, publishedVersionOf } from '#lib/engine/draft-run.ts';
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { RunError, RunStatus, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { RunCustomer as KnownCustomer } from '#lib/messaging/customers/runs-of-customer.ts';
import type { RunDelivery, RunSummary, TaskRunView } from './schema.ts';

/** Runs before one at its gate are counted up to here. */
const MAX_BEFORE = 1000;

/** The columns of a summary, of the table `runs` as `r`. Each mark is read by its id: for `exists` the planner could read all. */
export const RUN_COLUMNS = `r.id, r.workflow_id, r.version, r.event_id, r.status,
  (select 'undelivered' from undelivered_runs where run_id = r.id limit 1) as delivery, r.created_at, r.started_at, r.finished_at,
  r.resume_at, r.contents_removed_at, r.error, r.retry_of, r.awaited,
  (select json_build_object('run_id', c.caller_run_id, 'task_id', c.task_id, 'iteration', c.iteration)
    from run_calls c where c.run_id = r.id) as called_by,
  case when r.status = 'queued' and r.line is not null then (
    select l.run_id from run_lines l
    where l.workflow_id = r.workflow_id and l.line = r.line and l.has_turn and l.run_id <> r.id limit 1
  ) end as waits_for_run,
  case when r.status = 'queued' and r.line is not null then coalesce((
    select (
      select count(*)::int from (
        select from run_gates b where b.workflow_id = g.workflow_id and b.place < g.place limit ${MAX_BEFORE}
      ) before
    ) from run_gates g where g.run_id = r.id and not g.is_through
  ), (
    select (
      select count(*)::int from (
        select from workspace_gates b where b.workspace_id = g.workspace_id and b.place < g.place limit ${MAX_BEFORE}
      ) before
    ) from workspace_gates g where g.run_id = r.id and not g.is_through
  )) end as waits_for_runs,
  case when r.status = 'queued' and r.line is not null then (
    select b.due_at from webhook_bursts b where b.run_id = r.id
  ) end as waits_for_quiet_until`;

export interface RunRow {
  id: string;
  workflow_id: string;
  version: number;
  event_id: string;
  status: RunStatus;
  delivery: RunDelivery | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  resume_at: Date | null;
  contents_removed_at: Date | null;
  error: RunError | null;
  retry_of: string | null;
  waits_for_run: string | null;
  waits_for_runs: number | null;
  waits_for_quiet_until: Date | null;
  awaited: boolean;
  called_by: { run_id: string; task_id: number; iteration: string } | null;
}

export const toRunSummary = (row: RunRow, customer: KnownCustomer | undefined): RunSummary => ({
  ...row,
  version: publishedVersionOf(row.version),
  draft_revision: draftRevisionOf(row.version),
  called_by: row.called_by && { ...row.called_by, iteration: toIndexes(row.called_by.iteration) },
  created_at: row.created_at.toISOString(),
  started_at: row.started_at?.toISOString() ?? null,
  finished_at: row.finished_at?.toISOString() ?? null,
  resume_at: row.resume_at?.toISOString() ?? null,
  waits_for_quiet_until: row.waits_for_quiet_until?.toISOString() ?? null,
  contents_removed_at: row.contents_removed_at?.toISOString() ?? null,
  customer: customer
    ? {
        id: customer.id,
        numbers: customer.numbers,
        user_ids: customer.userIds,
        profile_name: customer.profileName,
      }
    : null,
});

export interface TaskRunRow {
  task_id: number;
  iteration: string;
  status: TaskRunStatus;
  branch: string | null;
  run_text: string | null;
  output: string | null;
  error: RunError | null;
  attempt: number;
  attempts: TaskRunAttempt[] | null;
  state: string | null;
  started_at: Date | null;
  finished_at: Date | null;
  resume_at: Date | null;
}

/** `task_<id>_run` as variables see it: null while it is unknown. */
const RUN_BY_STATUS: Readonly<Record<TaskRunStatus, boolean | null>> = {
  succeeded: true,
  failed: false,
  outcome_unknown: false,
  cancelled: false,
  skipped: null,
  running: null,
  waiting: null,
};

/** Zero-based indexes of the loops around a task run, outermost first. */
export const toIndexes = (iteration: string): number[] =>
  iteration === '' ? [] : iteration.split('.').map(Number);

export function toTaskRunView(
  row: TaskRunRow,
  task: WorkflowTask | undefined,
  output: JsonValue,
  captured: readonly JsonValue[],
): TaskRunView {
  return {
    task_id: row.task_id,
    type: task?.type ?? null,
    name: task?.name ?? null,
    iteration: toIndexes(row.iteration),
    status: row.status,
    run: RUN_BY_STATUS[row.status],
    run_text: row.run_text,
    branch: row.branch,
    captured: [...captured],
    output,
    error: row.error,
    attempt: row.attempt,
    attempts: row.attempts ?? [],
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    resume_at: row.resume_at?.toISOString() ?? null,
  };
}
