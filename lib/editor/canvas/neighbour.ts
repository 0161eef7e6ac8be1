import { type CanvasDocument, findTask, type Point } from './document.ts';
import { taskSize } from './task-size.ts';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** Weight of sideways distance, so that the task straight ahead is preferred. */
const SIDEWAYS_FACTOR = 2;

/** The next task in an arrow key's direction; undefined when there is none. */
export function findNeighbour(
  document: CanvasDocument,
  id: number,
  direction: Direction,
): number | undefined {
  const from = findTask(document, id);
  if (!from) return document.tasks[0]?.id;
  const start = centreOf(from);
  let best: { id: number; distance: number } | undefined;
  for (const task of document.tasks) {
    if (task.id === id) continue;
    const distance = distanceIn(direction, start, centreOf(task));
    if (distance !== undefined && (!best || distance < best.distance)) best = { id: task.id, distance };
  }
  return best?.id;
}

function distanceIn(direction: Direction, from: Point, to: Point): number | undefined {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const isAcross = direction === 'left' || direction === 'right';
  const ahead = isAcross ? (direction === 'right' ? dx : -dx) : direction === 'down' ? dy : -dy;
  const sideways = Math.abs(isAcross ? dy : dx);
  return ahead <= 1 ? undefined : ahead + sideways * SIDEWAYS_FACTOR;
}

function centreOf(task: CanvasDocument['tasks'][number]): Point {
  const { width, height } = taskSize(task);
  const { x, y } = task.position ?? { x: 0, y: 0 };
  return { x: x + width / 2, y: y + height / 2 };
}
