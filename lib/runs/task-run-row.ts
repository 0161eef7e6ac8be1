import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import type { RunError, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import type { TaskRunView } from './schema.ts';

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
