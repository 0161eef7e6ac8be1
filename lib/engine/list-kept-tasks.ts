import type { CompiledGraph, GraphNode } from './graph.ts';

/**
 * Which tasks of an earlier run need not be executed again when a run starts at a task: those that succeeded and do not
 * come after it. Of a task within a loop the outermost loop starts again.
 * @param graph what is executed now
 * @param outcomes of the earlier run, of the tasks that are in no loop
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

/** Loops before what is in them, parents before children. */
function inOrder(graph: CompiledGraph, scope = 0): GraphNode[] {
  return (graph.scopes.get(scope) ?? []).flatMap((node) => [node, ...inOrder(graph, node.task.id)]);
}
