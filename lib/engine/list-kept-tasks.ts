import type { CompiledGraph, GraphNode } from './graph.ts';

/**
 * Which tasks of an earlier run need no execution when a run starts at a task: those that succeeded and are not after it. A
 * task inside loops restarts its outermost loop.
 * @param graph of the new run
 * @param outcomes of the earlier run's tasks outside loops
 */
export function listKeptTasks(
  graph: CompiledGraph,
  fromTaskId: number,
  outcomes: ReadonlyMap<number, 'succeeded' | 'skipped'>,
): number[] {
  const from = graph.nodes.get(fromTaskId);
  const start = from?.loops[0] ?? fromTaskId;
  const kept = new Set<number>();
  const after = new Set([start]);
  for (const node of inOrder(graph)) {
    const { id } = node.task;
    const parents = node.parents.map((edge) => edge.from);
    if (parents.some((parent) => after.has(parent))) after.add(id);
    if (after.has(id)) continue;
    const isBehindKept = parents.every((parent) => kept.has(parent) || outcomes.get(parent) === 'skipped');
    const loop = node.loops[0];
    const isDone = loop === undefined ? outcomes.get(id) === 'succeeded' && isBehindKept : kept.has(loop);
    if (isDone) kept.add(id);
  }
  return [...kept];
}

/** Loops before their bodies, parents before children. */
function inOrder(graph: CompiledGraph, scope = 0): GraphNode[] {
  return (graph.scopes.get(scope) ?? []).flatMap((node) => [node, ...inOrder(graph, node.task.id)]);
}
