import type { Pool } from '#lib/db/client.ts';
import { parseJson } from '#lib/json/parse-json.ts';
import { type CompiledGraph, compileGraph } from '../graph.ts';
import type { WorkflowGraph } from '../graph-types.ts';
import type { LoopState, RunError, TaskRun, TaskRunAttempt, TaskRunStatus } from '../run-types.ts';

interface TaskRunRow {
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

const TASK_RUNS = `
select task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state,
  started_at, finished_at, resume_at
from task_runs where run_id = $1`;

/** All task runs of a run, as the engine left them. */
export async function loadTaskRuns(pool: Pool, runId: string): Promise<TaskRun[]> {
  const { rows } = await pool.query<TaskRunRow>({ name: 'load_task_runs', text: TASK_RUNS, values: [runId] });
  return rows.map(toTaskRun);
}

function toTaskRun(row: TaskRunRow): TaskRun {
  const state = row.state === null ? {} : (parseJson(row.state) as unknown as SavedState);
  return {
    taskId: row.task_id,
    iteration: row.iteration,
    status: row.status,
    branch: row.branch ?? undefined,
    runText: row.run_text ?? undefined,
    output: row.output === null ? undefined : parseJson(row.output),
    error: row.error ?? undefined,
    attempt: row.attempt,
    attempts: row.attempts ?? undefined,
    loop: state.loop,
    waitingFor: state.waiting_for,
    startedAt: row.started_at?.getTime(),
    finishedAt: row.finished_at?.getTime(),
    resumeAt: row.resume_at?.getTime(),
  };
}

interface SavedState {
  loop?: LoopState;
  waiting_for?: TaskRun['waitingFor'];
}

/** @throws Error when there is no such version: runs are only made of stored ones. */
export async function loadGraph(pool: Pool, workflowId: string, version: number): Promise<CompiledGraph> {
  const { rows } = await pool.query<{ graph: WorkflowGraph }>({
    name: 'load_graph',
    text: 'select graph from workflow_versions where workflow_id = $1 and version = $2',
    values: [workflowId, version],
  });
  if (!rows[0]) throw new Error(`Workflow ${workflowId} has no version ${version}.`);
  return compileGraph(rows[0].graph);
}
