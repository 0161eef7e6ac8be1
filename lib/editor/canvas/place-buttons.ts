// Positions of the buttons on edges that insert a task: where edges are close together, buttons do not overlap.
import { edgeKey } from '#lib/engine/graph.ts';
import type { WorkflowEdge } from '#lib/engine/graph-types.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import type { CanvasDocument, Point } from './document.ts';
import { exitTop, IN_TOP_PX, TASK_WIDTH_PX } from './task-size.ts';

/** Minimum distance between the centers of two buttons. */
export const BUTTON_ROOM_PX = 21;
/** From a card's side to the center of the button of an unconnected exit. */
const OPEN_EXIT_PX = 26;
/** Candidate positions between exit and task, the best first. */
const PLACES = [0.5, 0.35, 0.65, 0.25, 0.75, 0.42, 0.58, 0.18, 0.82];
/** Equals React Flow's curvature of edges that lead back. */
const CURVATURE = 0.25;

/** A point of an edge: 0 is its exit, 1 its target. */
export function pointOfEdge(source: Point, target: Point, part: number): Point {
  const across = target.x - source.x;
  const bend = across >= 0 ? across / 2 : CURVATURE * 25 * Math.sqrt(-across);
  const rest = 1 - part;
  const weigh = (a: number, b: number, c: number, d: number): number =>
    rest ** 3 * a + 3 * rest ** 2 * part * b + 3 * rest * part ** 2 * c + part ** 3 * d;
  return {
    x: weigh(source.x, source.x + bend, target.x - bend, target.x),
    y: weigh(source.y, source.y, target.y, target.y),
  };
}

/** By `edgeKey`: the button's position on the edge. */
export function placeButtons({ tasks, edges }: Pick<CanvasDocument, 'tasks' | 'edges'>): Map<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const leaving = Map.groupBy(edges, ({ from }) => from);
  /** Buttons beside each task, of edges that leave it or lead to it. */
  const taken = new Map<number, Point[]>();
  const take = (id: number, at: Point) => taken.set(id, [...(taken.get(id) ?? []), at]);
  const exitsById = new Map(tasks.map((task) => [task.id, exitsOf(task)]));
  for (const task of tasks) {
    const used = new Set(leaving.get(task.id)?.map(({ branch }) => branch));
    for (const [index, { branch }] of (exitsById.get(task.id) ?? []).entries()) {
      const { x, y } = task.position ?? { x: 0, y: 0 };
      if (!used.has(branch))
        take(task.id, { x: x + TASK_WIDTH_PX + OPEN_EXIT_PX, y: y + exitTop(task, index) });
    }
  }
  return new Map(
    edges.map((edge) => {
      const [from, to] = [byId.get(edge.from), byId.get(edge.to)];
      if (!from?.position || !to?.position) return [edgeKey(edge), 0.5];
      const index = (exitsById.get(from.id) ?? []).findIndex(({ branch }) => branch === edge.branch);
      const source = { x: from.position.x + TASK_WIDTH_PX, y: from.position.y + exitTop(from, index) };
      const target = { x: to.position.x, y: to.position.y + IN_TOP_PX };
      const part = findPlace(source, target, neighbours(taken, edge));
      const at = pointOfEdge(source, target, part);
      take(edge.from, at);
      take(edge.to, at);
      return [edgeKey(edge), part];
    }),
  );
}

const neighbours = (taken: ReadonlyMap<number, Point[]>, { from, to }: WorkflowEdge): Point[] => [
  ...(taken.get(from) ?? []),
  ...(taken.get(to) ?? []),
];

/** The first position without overlaps, else the one with the most space. */
function findPlace(source: Point, target: Point, others: readonly Point[]): number {
  const roomAt = (part: number): number => {
    const { x, y } = pointOfEdge(source, target, part);
    return Math.min(...others.map((other) => Math.hypot(other.x - x, other.y - y)));
  };
  const clear = PLACES.find((part) => roomAt(part) >= BUTTON_ROOM_PX);
  return clear ?? PLACES.toSorted((a, b) => roomAt(b) - roomAt(a))[0] ?? 0.5;
}
