import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { listBurstEvents } from '#lib/engine/store/bursts.ts';
import { topologicalOrder } from '#lib/engine/graph.ts';
import { draftRevisionOf } from '#lib/engine/draft-run.ts';
import { parseTaskState } from '#lib/engine/store/task-state.ts';
import { findVersion } from '#lib/engine/store/load-version.ts';
import { readBody } from '#lib/events/event-row.ts';
import { parseJson } from '#lib/core/json/parse-json.ts';
import type { JsonValue } from '#lib/core/json/value.ts';
import { loadRedactor } from '#lib/secrets/stored-secrets.ts';
import { createRedactor } from '#lib/secrets/redact.ts';
import type { Context } from '#lib/identity/context.ts';
import { explainMissing } from '#lib/identity/workspaces/retention.ts';
import {
  explainUndelivered,
  type KnownMessage,
  listMessagesOfRun,
} from '#lib/messaging/sending/find-message.ts';
import {
  RUN_COLUMNS,
  type RunRow,
  type TaskRunRow,
  toIndexes,
  toRunSummary,
  toTaskRunView,
} from './run-rows.ts';
import { findCustomersOfRuns } from '#lib/messaging/customers/runs-of-customer.ts';
import type { Run, TaskRunView, RunMessage } from './schema.ts';
import { isId } from '#lib/core/ids.ts';
import { noSuchRun } from '#lib/engine/store/lock-run.ts';
import { WITHHELD_WORDS } from '#lib/messaging/schema/message-statuses.ts';
import { eq } from 'drizzle-orm';
import { taskRuns } from '#lib/engine/schema/runs.ts';
import type { RunStatus, TaskRunStatus } from '#lib/engine/run-types.ts';

/** Maximum number of tasks in a response: a loop may have executed a hundred thousand. */
const MAX_SHOWN_TASKS = 1000;

/** Tasks that started in the same millisecond are in the order of the workflow. */
const TASK_RUNS = `
select task_id, iteration, status, branch, run_text, output, error, attempt, attempts, state, started_at, finished_at, resume_at
from task_runs where run_id = $1
order by started_at, string_to_array(iteration, '.')::int[], array_position($2::int[], task_id), task_id
offset $3 limit $4`;

/**
 * A run with its task runs in the order of their start, at most `MAX_SHOWN_TASKS` from `tasks_offset` on. Secrets of the
 * workflow in responses are shown as `••••••`, unless unredacted ones are requested.
 * @throws AppError `not_found`
 */
export async function getRun(
  ctx: Context,
  { id, tasks_offset = 0, asRecorded = false }: { id: string; tasks_offset?: number; asRecorded?: boolean },
): Promise<Run> {
  const row = await loadRun(ctx, id);
  const { $client: pool } = ctx.db;
  const [version, messages, customers, calls, burst, events] = await Promise.all([
    findVersion(pool, row.workflow_id, row.version),
    listMessagesOfRun(ctx, id),
    findCustomersOfRuns(ctx, [id]),
    listCalls(ctx, id),
    listBurstEvents(pool, row.event_id),
    pool.query<{ body: Buffer | null }>('select body from events where id = $1', [row.event_id]),
  ]);
  const body = events.rows[0]?.body ?? null;
  const redactor = asRecorded
    ? createRedactor(new Map())
    : await loadRedactor(ctx, { tasks: version?.graph.tasks ?? [] });
  const nodes = version ? topologicalOrder(version.compiled.nodes) : [];
  const order = nodes.map((node) => node.task.id);
  const { rows } = await pool.query<TaskRunRow>(TASK_RUNS, [id, order, tasks_offset, MAX_SHOWN_TASKS + 1]);
  const tasks = new Map(nodes.map((node): [number, WorkflowTask] => [node.task.id, node.task]));
  const triggerId = order[0];
  const toOutput = ({ task_id, output }: TaskRunRow): JsonValue => {
    if (task_id === triggerId) return readBody(body).body;
    return output === null ? null : redactor.json(parseJson(output));
  };
  const isDraft = draftRevisionOf(row.version) !== null;
  const toCaptured = ({ state }: TaskRunRow): JsonValue[] =>
    isDraft ? (parseTaskState(state).captured ?? []).map((each) => redactor.json(each)) : [];
  return {
    ...toRunSummary(row, customers.get(id)),
    tasks: rows
      .slice(0, MAX_SHOWN_TASKS)
      .map((each): TaskRunView =>
        toTaskRunView(each, tasks.get(each.task_id), toOutput(each), toCaptured(each)),
      ),
    messages: messages.map(toRunMessage),
    burst_event_ids: burst,
    calls: calls.map(({ iteration, ...call }) => ({ ...call, iteration: toIndexes(iteration) })),
    tasks_next_offset: rows.length > MAX_SHOWN_TASKS ? tasks_offset + MAX_SHOWN_TASKS : null,
  };
}

/** A loop may have called more. */
const MAX_CALLS = 1000;

const LIST_CALLS = `
select c.run_id, c.task_id, c.iteration, r.workflow_id, r.status from run_calls c join runs r on r.id = c.run_id
where c.caller_run_id = $1 and c.workspace_id = $2 order by c.run_id limit ${MAX_CALLS}`;

/** A run that a task of another one has called. */
interface CalledRunRow {
  run_id: string;
  task_id: number;
  iteration: string;
  workflow_id: string;
  status: RunStatus;
}

/** The runs that a run has called, in the order of the calls, at most `MAX_CALLS`. */
async function listCalls(ctx: Pick<Context, 'db' | 'workspaceId'>, runId: string): Promise<CalledRunRow[]> {
  return (await ctx.db.$client.query<CalledRunRow>(LIST_CALLS, [runId, ctx.workspaceId])).rows;
}

const GET = `select ${RUN_COLUMNS} from runs r where r.id = $1 and r.workspace_id = $2`;

/** Undefined: the workspace has no such run. */
export async function findRun(ctx: Context, id: string): Promise<RunRow | undefined> {
  const { rows } = isId(id) ? await ctx.db.$client.query<RunRow>(GET, [id, ctx.workspaceId]) : { rows: [] };
  return rows[0];
}

/** The same. @throws AppError `not_found` */
export async function loadRun(ctx: Context, id: string): Promise<RunRow> {
  const row = await findRun(ctx, id);
  if (!row) throw noSuchRun(await explainMissing(ctx, 'runs', id));
  return row;
}

/** A message of a run as the API shows it. */
export const toRunMessage = (message: KnownMessage): RunMessage => ({
  id: message.messageId,
  task_id: message.taskId,
  iteration: toIndexes(message.iteration ?? ''),
  recipient: message.recipient,
  template: message.templateName,
  status: message.withheld ?? message.status,
  status_at: message.statusAt.toISOString(),
  problem: problemOf(message),
  statuses: message.timeline.map(({ status, withheld, at, errors = [], pricing = null }) => ({
    status: withheld ?? status,
    at,
    errors,
    pricing,
  })),
});

function problemOf({ status, withheld, errors }: KnownMessage): string | null {
  if (withheld !== null) return WITHHELD_WORDS[withheld];
  return status === 'failed' ? explainUndelivered(errors) : null;
}

export interface TaskRunStatusOf {
  taskId: number;
  iteration: string;
  status: TaskRunStatus;
}

/** The status of every task run of a run. @throws AppError `not_found` */
export async function listTaskRuns(ctx: Context, runId: string): Promise<TaskRunStatusOf[]> {
  await loadRun(ctx, runId);
  const { taskId, iteration, status } = taskRuns;
  return ctx.db.select({ taskId, iteration, status }).from(taskRuns).where(eq(taskRuns.runId, runId));
}
