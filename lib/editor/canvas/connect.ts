// Which edges can be added. The engine validates whole graphs by the same rules; this checks a single edge before it is
// added.
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import { edgeKey, entersLoop } from '#lib/engine/graph.ts';
import { type Exit, exitsOf } from '#lib/tasks/exits.ts';
import { isTriggerType } from '#lib/tasks/kinds.ts';
import { type CanvasDocument, findTask } from './document.ts';

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

// Moves edges when the exits of their task change with its settings: a button was renamed, moved or removed.

/**
 * Each edge stays with its exit: it follows the label to another position, stays at its position where the label was changed,
 * moves from the first exit to its successor, and is removed where the exit is gone.
 */
export function followExits(
  document: CanvasDocument,
  taskId: number,
  before: readonly Exit[],
  after: readonly Exit[],
): CanvasDocument {
  if (!haveChanged(before, after)) return document;
  const edges = document.edges.flatMap((edge): WorkflowEdge[] => {
    if (edge.from !== taskId) return [edge];
    const exit = before.find(({ branch }) => branch === edge.branch);
    // Edges that were invalid before stay.
    if (!exit) return [edge];
    const place = findSuccessor(before, after, exit) ?? findPlace(exit, before, after);
    if (!place) return [];
    const { branch: _branch, ...rest } = edge;
    return [place.branch === undefined ? rest : { ...rest, branch: place.branch }];
  });
  return { ...document, edges: [...new Map(edges.map((edge) => [edgeKey(edge), edge])).values()] };
}

const haveChanged = (before: readonly Exit[], after: readonly Exit[]): boolean =>
  before.length !== after.length ||
  before.some(({ branch, label }, index) => {
    const exit = after[index];
    return !exit || branch !== exit.branch || label !== exit.label;
  });

/**
 * The successor of the first exit: when the plain exit becomes several or several become the plain one, or when the first one
 * is renamed and is the only one of its kind. Undefined: it still exists, or has none.
 */
function findSuccessor(before: readonly Exit[], after: readonly Exit[], exit: Exit): Exit | undefined {
  const [now] = after;
  if (exit !== before[0] || !now || after.some(({ branch }) => branch === exit.branch)) return undefined;
  const ofColor = (exits: readonly Exit[]): number =>
    exits.filter(({ color }) => color === exit.color).length;
  const meansTheSame = now.color === exit.color && ofColor(before) === 1 && ofColor(after) === 1;
  return now.branch === undefined || exit.branch === undefined || meansTheSame ? now : undefined;
}

/** The new index of an exit; undefined: it is gone. */
function findPlace(exit: Exit, before: readonly Exit[], after: readonly Exit[]): Exit | undefined {
  const samePlace = after.find(({ branch }) => branch === exit.branch);
  // A loop has one exit into its body, whatever its label says.
  if (samePlace?.label === exit.label || entersLoop(exit)) return samePlace;
  const sameLabel = (exits: readonly Exit[]) => exits.filter(({ label }) => label === exit.label);
  const [moved, ...others] = sameLabel(after);
  if (moved && others.length === 0 && sameLabel(before).length === 1) return moved;
  return after.length < before.length ? undefined : samePlace;
}
