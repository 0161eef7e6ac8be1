import { tasksAfter } from './connect.ts';
import type { CanvasDocument, Point } from './document.ts';
import { findTask } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import { BETWEEN_RANKS_PX, NOTE_SIZE_PX, TASK_WIDTH_PX, taskSize } from './task-size.ts';

const STEP_PX = TASK_WIDTH_PX + BETWEEN_RANKS_PX;
const GAP_PX = 28;
const NOTE_GAP_PX = 16;
const NOTES_IN_ROW = 3;
/** How many places of the grid one card or note can reach into. */
const NOTES_PER_BOX = 9;
const START: Point = { x: 0, y: 0 };

/** A free place to the right of a task, at the height of one of its exits. */
export function placeAfter(document: CanvasDocument, from: number, branch: string | undefined): Point {
  const task = findTask(document, from);
  if (!task) return START;
  const origin = task.position ?? START;
  const exits = exitsOf(task);
  const index = Math.max(
    0,
    exits.findIndex((exit) => exit.branch === branch),
  );
  const spread = (index - (exits.length - 1) / 2) * (taskSize(task).height + GAP_PX);
  return freePlace(document, { x: origin.x + STEP_PX, y: Math.round(origin.y + spread) });
}

/** The nearest place from `wanted` downwards where a card covers no other. */
export function freePlace(document: CanvasDocument, wanted: Point): Point {
  let { y } = wanted;
  for (let tries = 0; tries <= document.tasks.length; tries += 1) {
    const covering = document.tasks.find((task) => covers(task, { x: wanted.x, y }));
    if (!covering?.position) break;
    y = covering.position.y + taskSize(covering).height + GAP_PX;
  }
  return { x: wanted.x, y };
}

/** A place for a note near `wanted` where it covers nothing: beside what is there, then in the next row. */
export function freeNotePlace(document: CanvasDocument, wanted: Point): Point {
  const taken = [
    ...document.notes.map(({ position }) => ({ ...position, ...NOTE_SIZE_PX })),
    ...document.tasks.flatMap((task) => (task.position ? [{ ...task.position, ...taskSize(task) }] : [])),
  ];
  const isFree = ({ x, y }: Point) =>
    taken.every(
      (box) =>
        x >= box.x + box.width + NOTE_GAP_PX ||
        box.x >= x + NOTE_SIZE_PX.width + NOTE_GAP_PX ||
        y >= box.y + box.height + NOTE_GAP_PX ||
        box.y >= y + NOTE_SIZE_PX.height + NOTE_GAP_PX,
    );
  // One of so many places is free, whatever each box covers.
  for (let index = 0; index <= taken.length * NOTES_PER_BOX; index += 1) {
    const column = index % NOTES_IN_ROW;
    const row = Math.floor(index / NOTES_IN_ROW);
    const at = {
      x: wanted.x + column * (NOTE_SIZE_PX.width + NOTE_GAP_PX),
      y: wanted.y + row * (NOTE_SIZE_PX.height + NOTE_GAP_PX),
    };
    if (isFree(at)) return at;
  }
  return wanted;
}

/** Moves what follows a task to the right, so that another one fits before it; gives where that one goes. */
export function makeRoom(document: CanvasDocument, before: number): { document: CanvasDocument; at: Point } {
  const target = findTask(document, before);
  const at = target?.position ?? START;
  const moved = tasksAfter(document.edges, before).add(before);
  const tasks = document.tasks.map((task) =>
    moved.has(task.id) && task.position && task.position.x >= at.x
      ? { ...task, position: { x: task.position.x + STEP_PX, y: task.position.y } }
      : task,
  );
  return { document: { ...document, tasks }, at };
}

function covers(task: CanvasDocument['tasks'][number], { x, y }: Point): boolean {
  if (!task.position) return false;
  const { width, height } = taskSize(task);
  const horizontal = Math.abs(task.position.x - x) < width + GAP_PX / 2;
  return horizontal && y < task.position.y + height + GAP_PX / 2 && task.position.y < y + height + GAP_PX / 2;
}
