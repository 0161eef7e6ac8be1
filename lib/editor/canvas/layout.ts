import type { CanvasDocument, Point } from './document.ts';
import { moveItems } from './commands.ts';
import { toHeights } from './heights.ts';
import { toLayers } from './layers.ts';
import { freePlace, placeAfter } from './place.ts';
import { BETWEEN_RANKS_PX, TASK_WIDTH_PX, taskSize } from './task-size.ts';

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
