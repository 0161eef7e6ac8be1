// What the edges of a graph lead to, from its trigger. Runs in the browser.
import type { WorkflowEdge, WorkflowGraph, WorkflowTask } from '#lib/engine/graph-types.ts';
import { indexNodes, reachedPart, topologicalOrder } from '#lib/engine/graph.ts';
import { findTaskKind, isTriggerType, waitsAt } from '#lib/tasks/kinds.ts';

/** The part of the workflow that can be compiled: what the trigger leads to. Undefined without one, or with a cycle. */
export function reachablePart(graph: WorkflowGraph): WorkflowGraph | undefined {
  const nodes = indexNodes(graph);
  if (topologicalOrder(nodes).length < nodes.size) return undefined;
  const part = reachedPart(graph, ({ type }) => isTriggerType(type));
  return part.tasks.length === 0 ? undefined : part;
}

type Drawing = Readonly<{ tasks: readonly WorkflowTask[]; edges: readonly WorkflowEdge[] }>;

/** The enabled tasks at which a run waits first on its paths. */
export function listFirstWaits({ tasks, edges }: Drawing): number[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const next = Map.groupBy(edges, ({ from }) => from);
  const found: number[] = [];
  const seen = new Set<number>();
  const ahead = tasks.filter(({ type }) => isTriggerType(type)).map(({ id }) => id);
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const task = byId.get(id);
    if (!task || seen.has(id)) continue;
    seen.add(id);
    if (waitsAt(task) && task.disabled !== true) found.push(id);
    else ahead.push(...(next.get(id) ?? []).map(({ to }) => to));
  }
  return found.toSorted((a, b) => a - b);
}

/**
 * The tasks at which an after-workflow caller gets the response: a response that waits for a Delay would be too late. Empty
 * where callers are answered immediately, or at the end.
 */
export function listAnsweringTasks(drawing: Drawing): number[] {
  const trigger = drawing.tasks.find(({ type }) => isTriggerType(type));
  return trigger && findTaskKind(trigger.type)?.answersAfterRun?.(trigger.settings)
    ? listFirstWaits(drawing)
    : [];
}
