import { moveItems } from './commands.ts';
import type { CanvasDocument, Point } from './document.ts';
import { type Link, type Placed, toLayers } from './layers.ts';
import { freePlace, placeAfter } from './place.ts';
import { BETWEEN_RANKS_PX, exitTop, IN_TOP_PX, TASK_WIDTH_PX, taskSize } from './task-size.ts';

/** Positions of all tasks in a layout from left to right: top left corners by task id. */
function layOut({ tasks, edges }: Pick<CanvasDocument, 'tasks' | 'edges'>): Map<number, Point> {
  const heights = toHeights(toLayers(tasks, edges));
  const places = [...heights].flatMap(([{ task, column }, y]): [number, Point][] =>
    task ? [[task.id, { x: column * (TASK_WIDTH_PX + BETWEEN_RANKS_PX), y }]] : [],
  );
  return new Map(places);
}

/** Arranges all tasks from left to right. */
export const arrange = (document: CanvasDocument): CanvasDocument => moveItems(document, layOut(document));

/**
 * The document with a position for every task: workflows created through the API may have none. Existing positions stay; the
 * others are placed after their parents.
 */
export function withPositions(document: CanvasDocument): CanvasDocument {
  const missing = document.tasks.filter((task) => !task.position);
  if (missing.length === document.tasks.length) return arrange(document);
  let next = document;
  for (const task of missing) {
    const { id } = task;
    const into = next.edges.find((edge) => edge.to === id);
    const position = into
      ? placeAfter(next, into.from, into.branch, taskSize(task).height)
      : placeBefore(next, id);
    next = moveItems(next, new Map([[id, position]]));
  }
  return next;
}

function placeBefore(document: CanvasDocument, id: number): Point {
  const after = document.edges.find((edge) => edge.from === id)?.to;
  const { x, y } = document.tasks.find((task) => task.id === after)?.position ?? { x: 0, y: 0 };
  return freePlace(document, { x: x - TASK_WIDTH_PX - BETWEEN_RANKS_PX, y });
}

// The vertical positions of each column's tasks: in order, without overlaps, with edges as straight as possible.

const GAP_PX = 36;
/** Space for an edge that passes a column. */
const LANE_PX = 12;
const MAX_ROUNDS = 16;

const heightOf = ({ task }: Placed): number => (task ? taskSize(task).height : LANE_PX);
const inOf = ({ task }: Placed): number => (task ? IN_TOP_PX : LANE_PX / 2);
const outOf = ({ from: { task }, exit }: Link): number => (task ? exitTop(task, exit) : LANE_PX / 2);

/** The top edge of every placed item; the highest is at 0. */
function toHeights(layers: readonly Placed[][]): Map<Placed, number> {
  const tops = new Map<Placed, number>();
  for (const layer of layers) {
    let top = 0;
    for (const each of layer) {
      tops.set(each, top);
      top += heightOf(each) + GAP_PX;
    }
  }
  for (let round = 0; round < MAX_ROUNDS; round += 1)
    for (const layer of round % 2 === 0 ? layers : [...layers].reverse()) settle(layer, tops);
  for (const layer of layers) settle(layer, tops);
  const highest = [...tops.values()].reduce((least, top) => Math.min(least, top), Infinity);
  return new Map([...tops].map(([each, top]) => [each, Math.round(top - highest)]));
}

/** Moves a column to straighten its edges, without overlaps. */
function settle(layer: readonly Placed[], tops: Map<Placed, number>): void {
  const wanted = layer.map((each) => wantedTop(each, tops));
  const room: number[] = [];
  let used = 0;
  for (const each of layer) {
    room.push(used);
    used += heightOf(each) + GAP_PX;
  }
  const places = inOrder(wanted.map((top, index) => top - (room[index] ?? 0)));
  layer.forEach((each, index) => tops.set(each, (places[index] ?? 0) + (room[index] ?? 0)));
}

function wantedTop(each: Placed, tops: ReadonlyMap<Placed, number>): number {
  const { parents, children } = each;
  const top = (placed: Placed): number => tops.get(placed) ?? 0;
  const fromParents = parents.map((link) => top(link.from) + outOf(link) - inOf(each));
  const fromChildren = children.map((link) => top(link.to) + inOf(link.to) - outOf(link));
  const all = [...fromParents, ...fromChildren];
  return all.length === 0 ? top(each) : all.reduce((sum, one) => sum + one, 0) / all.length;
}

/** The nearest non-decreasing values (isotonic regression by pooling neighbors). */
function inOrder(values: readonly number[]): number[] {
  const pools: { sum: number; count: number }[] = [];
  for (const value of values) {
    let pool = { sum: value, count: 1 };
    for (
      let last = pools.at(-1);
      last && last.sum / last.count > pool.sum / pool.count;
      last = pools.at(-1)
    ) {
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  return pools.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
}
