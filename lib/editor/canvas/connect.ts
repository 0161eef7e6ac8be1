// Which edges may be drawn. The engine's validation says the same about whole graphs; here it is asked before one is drawn.
import { edgeKey } from '#lib/engine/graph.ts';
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { type CanvasDocument, findTask } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';

/** Why an edge cannot be drawn, in words; undefined when it can. */
export function findConnectProblem(document: CanvasDocument, edge: WorkflowEdge): string | undefined {
  const from = findTask(document, edge.from);
  const to = findTask(document, edge.to);
  if (!from || !to) return 'One of the tasks no longer exists.';
  if (edge.from === edge.to) return 'A task cannot follow itself: use a Loop task to repeat.';
  if (isTriggerType(to.type)) return 'The trigger cannot have incoming connections.';
  if (!exitsOf(from).some(({ branch }) => branch === edge.branch)) return `"${from.name}" has no such exit.`;
  if (document.edges.some((other) => edgeKey(other) === edgeKey(edge)))
    return 'These tasks are already connected.';
  if (isAfter(document, edge.to, edge.from))
    return `"${to.name}" comes before "${from.name}": use a Loop task to repeat.`;
  return undefined;
}

/** Tasks that an exit may be led to. */
export const connectTargets = (document: CanvasDocument, from: number, branch: string | undefined) =>
  document.tasks.filter((task) => findConnectProblem(document, { from, to: task.id, branch }) === undefined);

/** Whether a way leads from one task to another. */
function isAfter({ edges }: CanvasDocument, from: number, to: number): boolean {
  return tasksAfter(edges, from).has(to);
}

/** All tasks that can be reached from one, itself left out. */
export function tasksAfter(edges: readonly WorkflowEdge[], from: number): Set<number> {
  const children = new Map<number, number[]>();
  for (const edge of edges) children.set(edge.from, [...(children.get(edge.from) ?? []), edge.to]);
  const reached = new Set<number>();
  const open = [...(children.get(from) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...(children.get(next) ?? []));
  }
  return reached;
}
