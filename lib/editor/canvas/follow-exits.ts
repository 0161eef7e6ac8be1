// Moves edges when the exits of their task change with its settings: a button was renamed, moved or removed.
import { edgeKey } from '#lib/engine/graph.ts';
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import type { Exit } from '#lib/tasks/exits.ts';
import type { CanvasDocument } from './document.ts';

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
  if (samePlace?.label === exit.label) return samePlace;
  const sameLabel = (exits: readonly Exit[]) => exits.filter(({ label }) => label === exit.label);
  const [moved, ...others] = sameLabel(after);
  if (moved && others.length === 0 && sameLabel(before).length === 1) return moved;
  return after.length < before.length ? undefined : samePlace;
}
