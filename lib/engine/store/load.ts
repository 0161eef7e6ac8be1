import type { Pool } from '#lib/core/db/client.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import { draftRevisionOf, type DraftRunOptions } from '#lib/engine/draft-run.ts';
import { type CompiledGraph, ROOT_SCOPE } from '#lib/engine/graph.ts';
import { itemIteration } from '#lib/engine/plan.ts';
import type { TakenRun } from '#lib/engine/run-state.ts';
import { isOpenTaskRun } from '#lib/engine/run-statuses.ts';
import type { RunError, TaskRun, TaskRunAttempt, TaskRunStatus } from '#lib/engine/run-types.ts';
import { LoopItems } from './loop-items.ts';
import { parseTaskState } from './task-state.ts';

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
  has_items: boolean;
  started_at: Date | null;
  finished_at: Date | null;
  resume_at: Date | null;
}

const TASK_RUNS = `
select t.task_id, t.iteration, status, branch, run_text, output, error, attempt, attempts, state,
  items is not null as has_items, started_at, finished_at, resume_at
from unnest($2::int[], $3::text[]) as place(task_id, iteration)
join task_runs t on t.run_id = $1 and t.task_id = place.task_id and t.iteration = place.iteration`;

/** The task runs that a run continues from: of each open loop those of its open items (see `RunStore`). */
export function loadTaskRunsToResume(
  pool: Pool,
  items: LoopItems,
  runId: string,
  graph: CompiledGraph,
): Promise<TaskRun[]> {
  return loadTaskRuns(pool, items, runId, graph, ({ status, loop }) =>
    isOpenTaskRun(status) ? (loop?.open ?? []) : [],
  );
}

/** The task runs that a task in an iteration can read: of each loop around it those of the same item. */
export function loadTaskRunsAround(
  pool: Pool,
  runId: string,
  graph: CompiledGraph,
  iteration: string,
): Promise<TaskRun[]> {
  const indexes = iteration === '' ? [] : iteration.split('.').map(Number);
  return loadTaskRuns(pool, new LoopItems(pool), runId, graph, ({ taskId }) => {
    const depth = graph.nodes.get(taskId)?.loops.length ?? 0;
    return indexes.slice(depth, depth + 1);
  });
}

/** One query per level of loops. @param itemsOf the items of a loop whose task runs are loaded, too */
async function loadTaskRuns(
  pool: Pool,
  items: LoopItems,
  runId: string,
  graph: CompiledGraph,
  itemsOf: (loopRun: TaskRun) => readonly number[],
): Promise<TaskRun[]> {
  const loaded: TaskRun[] = [];
  let places = placesOf(graph, ROOT_SCOPE, '');
  while (places.length > 0) {
    const values = [runId, places.map(({ taskId }) => taskId), places.map(({ iteration }) => iteration)];
    const { rows } = await pool.query<TaskRunRow>({ name: 'load_task_runs', text: TASK_RUNS, values });
    places = [];
    for (const row of rows) {
      const taskRun = toTaskRun(row);
      loaded.push(taskRun);
      const { loop, taskId, iteration } = taskRun;
      const open = loop ? itemsOf(taskRun) : [];
      if (!loop || open.length === 0) continue;
      if (row.has_items) {
        loop.items = await items.load(runId, taskId, iteration);
        items.markWritten(loop);
      }
      for (const item of open) places.push(...placesOf(graph, taskId, itemIteration(iteration, item)));
    }
  }
  return loaded;
}

const placesOf = (graph: CompiledGraph, scope: number, iteration: string) =>
  (graph.scopes.get(scope) ?? []).map(({ task }) => ({ taskId: task.id, iteration }));

function toTaskRun(row: TaskRunRow): TaskRun {
  const { loop, ...state } = parseTaskState(row.state);
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
    loop: loop && { items: null, ...loop },
    ...state,
    startedAt: row.started_at?.getTime(),
    finishedAt: row.finished_at?.getTime(),
    resumeAt: row.resume_at?.getTime(),
  };
}

const OPTIONS = 'select options from draft_runs where run_id = $1';

/**
 * Undefined for a run of a published version, without a query.
 * @throws Error when they are missing: without them it is unknown which effects may be let through
 */
export async function loadDraftOptions(
  pool: Pool,
  { id, version }: Pick<TakenRun, 'id' | 'version'>,
): Promise<DraftRunOptions | undefined> {
  if (draftRevisionOf(version) === null) return undefined;
  const { rows } = await pool.query<{ options: DraftRunOptions }>(OPTIONS, [id]);
  if (!rows[0]) throw new Error(`The run ${id} of a draft has no options.`);
  return rows[0].options;
}
