// Which workflows call which: a workflow that calls another one picks it in a task's settings.
import { sql } from 'drizzle-orm';
import type { Problem } from '#lib/core/errors.ts';
import { isId } from '#lib/core/ids.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import type { Context, Transaction } from '#lib/identity/context.ts';
import { listPicked } from '#lib/tasks/picks.ts';

interface PickedWorkflow {
  /** The setting. */
  name: string;
  id: string;
}

const listPickedWorkflows = (task: WorkflowTask): PickedWorkflow[] =>
  listPicked(task).flatMap(({ name, from, value }) =>
    from === 'workflow' && typeof value === 'string' && value.trim() !== ''
      ? [{ name, id: value.trim().toLowerCase() }]
      : [],
  );

/** Ids of the workflows that a graph's tasks call. */
const listCalls = ({ tasks }: Pick<WorkflowGraph, 'tasks'>): string[] => [
  ...new Set(tasks.flatMap((task) => listPickedWorkflows(task).map(({ id }) => id))),
];

interface Target extends Record<string, unknown> {
  id: string;
  name: string;
  is_deleted: boolean;
  is_published: boolean;
  runs: boolean;
  /** JSON text of its published version. */
  graph: string | null;
}

interface Caller {
  id: string;
  name: string;
  graph: Pick<WorkflowGraph, 'tasks'>;
}

/** A problem of a task; the path starts with `settings`. */
export interface CallProblem extends Problem {
  task: WorkflowTask;
}

type Executor = Pick<Transaction, 'execute'>;

/** Problems of the workflows that a graph calls: they are deleted, not published, paused, or call it back. */
export async function findCallProblems(
  ctx: Pick<Context, 'workspaceId'>,
  db: Executor,
  caller: Caller,
): Promise<CallProblem[]> {
  const known = new Map<string, Target>();
  const problems: CallProblem[] = [];
  for (const task of caller.graph.tasks) {
    for (const { name, id } of listPickedWorkflows(task)) {
      const message = await findProblem(ctx, db, known, caller, id);
      if (message !== undefined) problems.push({ task, path: `settings.${name}`, message });
    }
  }
  return problems;
}

/**
 * The same in the transaction that publishes the graph. Calls of a workspace are published one after another, so that two workflows that
 * are published at once cannot make a cycle.
 * @returns paths as from `checkGraph`
 */
export async function checkCalls(ctx: Context, tx: Transaction, caller: Caller): Promise<Problem[]> {
  const { tasks } = caller.graph;
  if (listCalls(caller.graph).length === 0) return [];
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`calls of ${ctx.workspaceId}`}, 0))`);
  const problems = await findCallProblems(ctx, tx, caller);
  return problems.map(({ task, path, message }) => ({
    path: `tasks[${tasks.indexOf(task)}].${path}`,
    message,
  }));
}

async function findProblem(
  ctx: Pick<Context, 'workspaceId'>,
  db: Executor,
  known: Map<string, Target>,
  caller: Caller,
  id: string,
): Promise<string | undefined> {
  if (id === caller.id)
    return `A workflow cannot call itself (${caller.name} → ${caller.name}). Select another one.`;
  await load(ctx, db, known, [id]);
  const target = known.get(id);
  if (!target || target.is_deleted) return 'This workflow was deleted. Select another one.';
  if (!target.is_published)
    return `“${target.name}” is not published. Publish it first, or select another one.`;
  if (!target.runs) return `“${target.name}” is paused. Resume it first, or select another one.`;
  const cycle = await findWayBack(ctx, db, known, { from: target, to: caller.id });
  if (!cycle) return undefined;
  const path = [caller.name, ...cycle.map(({ name }) => name), caller.name].join(' → ');
  return `The workflows would call each other without end: ${path}. Select another one, or remove the call back.`;
}

/** The shortest way of calls, by published versions, from one workflow to the one that calls another; undefined: there is none. */
async function findWayBack(
  ctx: Pick<Context, 'workspaceId'>,
  db: Executor,
  known: Map<string, Target>,
  { from, to }: { from: Target; to: string },
): Promise<Target[] | undefined> {
  const seen = new Set([from.id]);
  let ways = [[from]];
  while (ways.length > 0) {
    const calls = ways.map((way) => ({ way, ids: listCalls(toGraph(way.at(-1)?.graph ?? null)) }));
    const found = calls.find(({ ids }) => ids.includes(to));
    if (found) return found.way;
    await load(
      ctx,
      db,
      known,
      calls.flatMap(({ ids }) => ids),
    );
    ways = calls.flatMap(({ way, ids }) =>
      ids.flatMap((id) => {
        const target = known.get(id);
        if (!target || seen.has(id)) return [];
        seen.add(id);
        return [[...way, target]];
      }),
    );
  }
  return undefined;
}

const toGraph = (text: string | null): Pick<WorkflowGraph, 'tasks'> =>
  text === null ? { tasks: [] } : (JSON.parse(text) as WorkflowGraph);

/** Each step sees what the holder of the lock before has committed. */
async function load(
  ctx: Pick<Context, 'workspaceId'>,
  db: Executor,
  known: Map<string, Target>,
  ids: readonly string[],
): Promise<void> {
  const wanted = ids.filter((id) => isId(id) && !known.has(id));
  if (wanted.length === 0) return;
  const { rows } = await db.execute<Target>(sql`
select w.id, w.name, w.deleted_at is not null as is_deleted, w.published_version is not null as is_published,
  w.active or w.holds_runs as runs, v.graph::text as graph
from workflows w left join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
where w.workspace_id = ${ctx.workspaceId} and w.id = any(${sql.param(wanted)}::uuid[])`);
  for (const row of rows) known.set(row.id, row);
}

/** Names of the workflows whose published versions call a workflow, in their order. */
export async function listCallers(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { id }: { id: string },
): Promise<string[]> {
  const { rows } = await ctx.db.execute<{ name: string; graph: string }>(sql`
select w.name, v.graph::text as graph from workflows w
join workflow_versions v on v.workflow_id = w.id and v.version = w.published_version
where w.workspace_id = ${ctx.workspaceId} and w.deleted_at is null and w.id <> ${id} and strpos(v.graph::text, ${id}) > 0
order by w.name, w.id`);
  return rows.filter(({ graph }) => listCalls(toGraph(graph)).includes(id)).map(({ name }) => name);
}
