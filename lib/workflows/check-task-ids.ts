import type { WorkflowGraph } from '#lib/engine/graph-types.ts';
import type { Problem } from '#lib/core/errors.ts';
import { findTaskDefinition } from '#lib/tasks/registry.ts';

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
    if (type === task.type || task.id >= nextTaskId) return [];
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
