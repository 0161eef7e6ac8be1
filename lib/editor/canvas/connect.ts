// Which edges can be added. The engine validates whole graphs by the same rules; this checks a single edge before it is
// added.
import { edgeKey } from '#lib/engine/graph.ts';
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { type CanvasDocument, findTask } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';

/** Why an edge cannot be added; undefined when it can. */
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

/** Possible targets of an exit: those without a `findConnectProblem`, computed in one pass. */
export function connectTargets(document: CanvasDocument, from: number, branch: string | undefined) {
  const task = findTask(document, from);
  if (!task || !exitsOf(task).some((exit) => exit.branch === branch)) return [];
  const { edges } = document;
  const before = reach(edges, from, 'to', 'from');
  const taken = new Set(
    edges.filter((edge) => edge.from === from && edge.branch === branch).map(({ to }) => to),
  );
  return document.tasks.filter(
    ({ id, type }) => id !== from && !isTriggerType(type) && !before.has(id) && !taken.has(id),
  );
}

/** Whether a path leads from one task to another. */
function isAfter({ edges }: CanvasDocument, from: number, to: number): boolean {
  return tasksAfter(edges, from).has(to);
}

/** All tasks that can be reached from one, without itself. */
export const tasksAfter = (edges: readonly WorkflowEdge[], from: number): Set<number> =>
  reach(edges, from, 'from', 'to');

function reach(
  edges: readonly WorkflowEdge[],
  start: number,
  here: 'from' | 'to',
  there: 'from' | 'to',
): Set<number> {
  const next = Map.groupBy(edges, (edge) => edge[here]);
  const reached = new Set<number>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const edge of next.get(id) ?? []) {
      if (reached.has(edge[there])) continue;
      reached.add(edge[there]);
      open.push(edge[there]);
    }
  }
  return reached;
}
