import { describeForGraph } from '#lib/tasks/branches-of.ts';
import { findDraftSizeProblem } from '#lib/workflows/draft-size.ts';
import type { WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { validateGraph } from '#lib/engine/validate-graph.ts';
import { AppError, type Problem } from '#lib/core/errors.ts';
import { checkSettings } from '#lib/tasks/check-settings.ts';
import { loadFurtherChecks } from '#lib/tasks/load-further-checks.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';
import type { WorkflowDraft } from './schema.ts';

/** The graph of a request: tasks without a name get their type's. */
export function toGraph({
  tasks,
  edges,
  notes,
}: Pick<WorkflowDraft, 'tasks' | 'edges' | 'notes'>): WorkflowGraph {
  const named = tasks.map(({ id, type, name, ...rest }) => ({
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
