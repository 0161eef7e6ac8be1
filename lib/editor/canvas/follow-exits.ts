// Edges when the exits of their task change with its settings: a button was renamed, moved or removed.
import { edgeKey } from '#lib/engine/graph.ts';
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import type { Exit } from '#lib/tasks/exits.ts';
import type { CanvasDocument } from './document.ts';

/**
 * Each edge stays with what its exit says: it follows the label to another place, stays at its place where the label was
 * changed, goes with the first exit to the one that takes its place, and is removed where the exit is gone.
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
    // What was wrong before is not for a change of settings to take away.
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
 * The exit that takes the first one's place: the plain exit becomes several or several become the plain one, or the first one
 * has another name and is the only one that means the same. Undefined: it has its place, or none took it.
 */
function findSuccessor(before: readonly Exit[], after: readonly Exit[], exit: Exit): Exit | undefined {
  const [now] = after;
  if (exit !== before[0] || !now || after.some(({ branch }) => branch === exit.branch)) return undefined;
  const ofColor = (exits: readonly Exit[]): number =>
    exits.filter(({ color }) => color === exit.color).length;
  const meansTheSame = now.color === exit.color && ofColor(before) === 1 && ofColor(after) === 1;
  return now.branch === undefined || exit.branch === undefined || meansTheSame ? now : undefined;
}

/** Where an exit is now; undefined: it is gone. */
function findPlace(exit: Exit, before: readonly Exit[], after: readonly Exit[]): Exit | undefined {
  const samePlace = after.find(({ branch }) => branch === exit.branch);
  if (samePlace?.label === exit.label) return samePlace;
  const sameLabel = (exits: readonly Exit[]) => exits.filter(({ label }) => label === exit.label);
  const [moved, ...others] = sameLabel(after);
  if (moved && others.length === 0 && sameLabel(before).length === 1) return moved;
  return after.length < before.length ? undefined : samePlace;
}
