// Drafts, exports and API clients may have tasks of older shapes. Wherever they are read they become those of today, so that all
// other code knows one shape. Published versions run as they are (docs/decisions/triggers.md).
import type { WorkflowTask } from '#lib/engine/graph-types.ts';
import { findTaskKind } from './kinds.ts';

type Task = Pick<WorkflowTask, 'type' | 'settings'>;

/** A graph, or anything else with tasks, in the shape of today. */
export function toCurrentGraph<G extends { tasks: Task[] }>(graph: G): G {
  const tasks = toCurrentTasks(graph.tasks);
  return tasks === graph.tasks ? graph : { ...graph, tasks };
}

/** The tasks in the shape of today; the same list when all have it. */
export function toCurrentTasks<T extends Task>(tasks: T[]): T[] {
  const current = tasks.map(toCurrentTask);
  return current.every((task, index) => task === tasks[index]) ? tasks : current;
}

function toCurrentTask<T extends Task>(task: T): T {
  const current = findTaskKind(task.type)?.toCurrentShape?.(task.settings);
  return current ? { ...task, ...current } : task;
}
