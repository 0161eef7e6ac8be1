import { describeForGraph } from '#lib/tasks/exits.ts';
import { findDraftSizeProblem } from '#lib/workflows/draft-size.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { checkItemsAtOnce } from '#lib/tasks/check-items-at-once.ts';
import { toCurrentTasks } from '#lib/tasks/current-shape.ts';
import { checkSettings, loadFurtherChecks } from '#lib/tasks/check-settings.ts';
import { isTriggerType, mayBecome } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { WorkflowDraft } from './schema.ts';
import { desc, eq, ne } from 'drizzle-orm';
import { createSecretBox } from '#lib/core/crypto/secret-box.ts';
import type { Database } from '#lib/core/db/client.ts';
import { webhookTokens, workflows } from '#lib/engine/schema/workflows.ts';
import { tokenBinding } from './load-workflow.ts';
import type { Context } from '#lib/identity/context.ts';
import { checkPlatform } from '#lib/messaging/connections/platform-facts.ts';
import { toMessagingContext } from '#lib/messaging/runtime.ts';
import type { PlatformFacts } from '#lib/messaging/schema/fact-types.ts';
import { checkPicks } from '#lib/tasks/picks.ts';
import { listConnectionUses } from '#lib/tasks/connection-uses.ts';

/** The graph of a request, in the shape of today: tasks without a name get their type's. */
export function toGraph({
  tasks,
  edges,
  notes,
}: Pick<WorkflowDraft, 'tasks' | 'edges' | 'notes'>): WorkflowGraph {
  const named = toCurrentTasks(tasks).map(({ id, type, name, ...rest }) => ({
    id,
    type,
    name: name ?? findTaskDefinition(type)?.name ?? type,
    ...rest,
  }));
  return notes ? { tasks: named, edges, notes } : { tasks: named, edges };
}

/**
 * Checks the graph and every task's settings. A draft's settings may be incomplete; for publishing they must be complete with
 * readable variables, and the result has defaults filled in.
 * @param known problems found before, to be listed with these
 * @throws AppError `invalid_workflow` with every problem by its path
 */
export async function checkGraph(
  graph: WorkflowGraph,
  mode: 'draft' | 'publish',
  known: readonly Problem[] = [],
): Promise<WorkflowGraph> {
  const tooLarge = mode === 'draft' ? findDraftSizeProblem(graph) : undefined;
  const size = tooLarge === undefined ? [] : [{ path: '', message: tooLarge }];
  const problems = [
    ...known,
    ...size,
    ...validateGraph(graph, ({ type, settings }) => describeForGraph(findTaskDefinition(type), settings)),
  ];
  const furtherChecks = await loadFurtherChecks(graph.tasks);
  const tasks = graph.tasks.map((task, index): WorkflowTask => {
    const definition = findTaskDefinition(task.type);
    if (!definition) return task;
    const checked = checkSettings(definition, task.settings, mode, furtherChecks);
    problems.push(
      ...checked.problems.map(({ path, message }) => ({ path: `tasks[${index}].${path}`, message })),
    );
    return mode === 'publish' && checked.settings ? { ...task, settings: checked.settings } : task;
  });
  if (mode === 'publish')
    for (const { task, path, message } of checkItemsAtOnce(graph))
      problems.push({ path: `tasks[${graph.tasks.indexOf(task)}].${path}`, message });
  if (problems.length === 0) return { ...graph, tasks };
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems`;
  const message =
    mode === 'draft'
      ? `The workflow has ${count}.`
      : `The workflow has ${count} to fix before it can be published.`;
  throw new AppError('invalid_workflow', message, { problems });
}

/** The id of the trigger in a checked graph. */
export function triggerIdOf(graph: WorkflowGraph): number {
  const trigger = graph.tasks.find(({ type }) => isTriggerType(type));
  if (!trigger) throw new Error('The graph was not checked.');
  return trigger.id;
}

export interface TaskIdRecord {
  draft: WorkflowGraph;
  /** The lowest unused task id. */
  nextTaskId: number;
  triggerTaskId: number;
}

/**
 * Task ids are never reused (docs/glossary.md): events, runs and variables of old versions refer to them. The trigger always
 * keeps its id, because its URLs depend on it.
 */
export function checkTaskIds(
  graph: WorkflowGraph,
  { draft, nextTaskId, triggerTaskId }: TaskIdRecord,
): Problem[] {
  const typeById = new Map(draft.tasks.map((task) => [task.id, task.type]));
  return graph.tasks.flatMap((task, index) => {
    const path = `tasks[${index}].id`;
    if (findTaskDefinition(task.type)?.isTrigger && task.id !== triggerTaskId) {
      return [{ path, message: `The trigger of this workflow has the id ${triggerTaskId}: keep it.` }];
    }
    const type = typeById.get(task.id);
    if (task.id >= nextTaskId || (type !== undefined && mayBecome(type, task.type))) return [];
    const message =
      type === undefined
        ? `The id ${task.id} was used before: task ids are never reused. Use ${nextTaskId} or more.`
        : `The id ${task.id} belongs to a task of type "${type}": use another id for this task, ${nextTaskId} or more.`;
    return [{ path, message }];
  });
}

/** The lowest id above all of a graph's tasks and at least `atLeast`. */
export const nextTaskIdAfter = (graph: WorkflowGraph, atLeast: number): number =>
  graph.tasks.reduce((next, task) => Math.max(next, task.id + 1), atLeast);

/**
 * A problem with encryption keys: null when they decrypt the stored secrets, or there are none.
 * @param keys `ENCRYPTION_KEYS`
 */
export async function findKeyProblem(db: Database, keys: string): Promise<string | null> {
  const [newest] = await db
    .select({
      id: workflows.id,
      workspaceId: workflows.workspaceId,
      sealed: webhookTokens.tokenEncrypted,
    })
    .from(webhookTokens)
    .innerJoin(workflows, eq(workflows.id, webhookTokens.workflowId))
    .where(ne(webhookTokens.tokenEncrypted, ''))
    .orderBy(desc(webhookTokens.createdAt))
    .limit(1);
  try {
    const secrets = createSecretBox(keys);
    if (newest) secrets.open(newest.sealed, tokenBinding(newest.workspaceId, newest.id));
    return null;
  } catch (error) {
    return (
      `ENCRYPTION_KEYS does not open what this database holds (${(error as Error).message}). ` +
      'Set the keys that it was made with, or put its secrets.json back into the data folder.'
    );
  }
}

// Checks a workflow's connections, numbers and message templates with the platform.

type Tasks = Pick<WorkflowGraph, 'tasks'>;

/** Problems of a workflow's tasks by path, as from `checkGraph`. */
const listLiveProblems = ({ tasks }: Tasks, facts: PlatformFacts): Problem[] =>
  tasks.flatMap((task, index) =>
    checkPicks(task, facts).map(({ path, message }) => ({ path: `tasks[${index}].${path}`, message })),
  );

/** Queries the platform now, once per connection, and returns problems; none for what it did not answer. */
export async function checkLive(ctx: Context, graph: Tasks): Promise<Problem[]> {
  const uses = listConnectionUses(graph.tasks);
  if (uses.length === 0) return [];
  return listLiveProblems(graph, await checkPlatform(toMessagingContext(ctx), uses, 0));
}
