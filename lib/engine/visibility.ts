// Which tasks' outputs a task can read (docs/variables.md): those before it that are in no loop, or only in loops around it.
import type { CompiledGraph, GraphNode } from './graph.ts';

/** Whether every loop around the target is around the reader too, so that there is one iteration of it to read. */
export const sharesLoops = (target: GraphNode, reader: GraphNode): boolean =>
  target.loops.every((loop, depth) => reader.loops[depth] === loop);

/** All tasks that lead to a task, nearest first, disabled ones included. */
export function listTasksBefore(graph: CompiledGraph, reader: GraphNode): GraphNode[] {
  const before = new Set<GraphNode>([reader]);
  for (const node of before) {
    for (const { from } of node.parents) {
      const parent = graph.nodes.get(from);
      if (parent) before.add(parent);
    }
  }
  before.delete(reader);
  return [...before];
}

export type WhyHidden = 'itself' | 'in_another_loop' | 'not_before' | 'disabled';

/** Explains for one task why it cannot read another; undefined where it can. */
export function createVisibility(
  graph: CompiledGraph,
  reader: GraphNode,
): (target: GraphNode) => WhyHidden | undefined {
  const before = new Set(listTasksBefore(graph, reader));
  return (target) => {
    if (target === reader) return 'itself';
    if (!sharesLoops(target, reader)) return 'in_another_loop';
    if (!before.has(target)) return 'not_before';
    return target.task.disabled === true ? 'disabled' : undefined;
  };
}
