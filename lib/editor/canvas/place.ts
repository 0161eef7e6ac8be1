import { tasksAfter } from './connect.ts';
import { type CanvasDocument, findTask, type Point } from './document.ts';
import { exitsOf } from '#lib/tasks/exits.ts';
import {
  BETWEEN_RANKS_PX,
  exitTop,
  IN_TOP_PX,
  NOTE_SIZE_PX,
  TASK_HEADER_PX,
  TASK_WIDTH_PX,
  taskSize,
} from './task-size.ts';

type Task = CanvasDocument['tasks'][number];

const STEP_PX = TASK_WIDTH_PX + BETWEEN_RANKS_PX;
const GAP_PX = 28;
const NOTE_GAP_PX = 16;
const NOTES_IN_ROW = 3;
/** Maximum number of grid cells that one card or note can cover. */
const NOTES_PER_BOX = 9;
const START: Point = { x: 0, y: 0 };

/**
 * A free position to the right of a task, after one of its exits: below the targets of the exits above, and above those of
 * the exits below.
 */
export function placeAfter(
  document: CanvasDocument,
  from: number,
  branch: string | undefined,
  heightPx = TASK_HEADER_PX,
): Point {
  const task = findTask(document, from);
  if (!task) return START;
  const origin = task.position ?? START;
  const index = Math.max(0, exitIndex(task, branch));
  const wanted = { x: origin.x + STEP_PX, y: origin.y + exitTop(task, index) - IN_TOP_PX };
  return freePlace(document, wanted, heightPx, roomBesideExit(document, task, index, heightPx));
}

/** The range of heights in which a card keeps the order of the exits. */
interface Room {
  top: number;
  bottom: number;
}

const ANYWHERE: Room = { top: -Infinity, bottom: Infinity };

function roomBesideExit(document: CanvasDocument, task: Task, index: number, heightPx: number): Room {
  const room = { ...ANYWHERE };
  for (const edge of document.edges) {
    const child = edge.from === task.id ? findTask(document, edge.to) : undefined;
    if (!child?.position) continue;
    const { y } = child.position;
    if (exitIndex(task, edge.branch) > index) room.bottom = Math.min(room.bottom, y - GAP_PX - heightPx);
    else room.top = Math.max(room.top, y + taskSize(child).height + GAP_PX);
  }
  return room;
}

const exitIndex = (task: Task, branch: string | undefined): number =>
  exitsOf(task).findIndex((exit) => exit.branch === branch);

/** The nearest free position above or below `wanted`, inside the range where possible. */
export function freePlace(
  document: CanvasDocument,
  wanted: Point,
  heightPx = TASK_HEADER_PX,
  room = ANYWHERE,
): Point {
  const taken = listTaskBoxes(document.tasks).filter(
    (box) => wanted.x < box.x + box.width + GAP_PX / 2 && box.x < wanted.x + TASK_WIDTH_PX + GAP_PX / 2,
  );
  const { top } = room;
  // When the range is empty, at least the order with the exits above is kept.
  const bottom = room.bottom < top ? Infinity : room.bottom;
  const start = Math.max(top, Math.min(bottom, wanted.y));
  const beside = taken.flatMap((box) => [box.y + box.height + GAP_PX, box.y - heightPx - GAP_PX]);
  const isFree = (y: number) =>
    taken.every((box) => y >= box.y + box.height + GAP_PX / 2 || box.y >= y + heightPx + GAP_PX / 2);
  const free = [start, ...beside].filter(isFree).sort((a, b) => Math.abs(a - start) - Math.abs(b - start));
  const y = free.find((each) => each >= top && each <= bottom) ?? free.find((each) => each >= top) ?? start;
  return { x: wanted.x, y };
}

/** A free position for a note near `wanted`: beside existing items, then in the next row. */
export function freeNotePlace(document: CanvasDocument, wanted: Point): Point {
  const taken = listBoxes(document);
  const isFree = ({ x, y }: Point) =>
    taken.every(
      (box) =>
        x >= box.x + box.width + NOTE_GAP_PX ||
        box.x >= x + NOTE_SIZE_PX.width + NOTE_GAP_PX ||
        y >= box.y + box.height + NOTE_GAP_PX ||
        box.y >= y + NOTE_SIZE_PX.height + NOTE_GAP_PX,
    );
  // One of this many positions is free, whatever each box covers.
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

/** How far pasted tasks and notes move, down or to the right, to be free of overlaps. */
export function findFreeShift(
  document: CanvasDocument,
  added: Pick<CanvasDocument, 'tasks' | 'notes'>,
): Point {
  const [taken, boxes] = [listBoxes(document), listBoxes(added)];
  const down = shiftAlong(boxes, taken, 'y', 'height');
  const right = shiftAlong(boxes, taken, 'x', 'width');
  return right < down ? { x: right, y: 0 } : { x: 0, y: down };
}

function shiftAlong(
  boxes: readonly Box[],
  taken: readonly Box[],
  axis: 'x' | 'y',
  length: 'width' | 'height',
): number {
  let by = 0;
  for (;;) {
    const pushes = boxes
      .map((box) => ({ ...box, [axis]: box[axis] + by }))
      .flatMap((box) =>
        taken
          .filter((other) => isOver(box, other))
          .map((other) => other[axis] + other[length] + GAP_PX - box[axis]),
      );
    if (pushes.length === 0) return by;
    by += Math.max(...pushes);
  }
}

/**
 * Moves a task's successors to the right, and what they would cover, to make room for another task; returns the position for
 * it.
 */
export function makeRoom(
  document: CanvasDocument,
  before: number,
  heightPx = TASK_HEADER_PX,
): { document: CanvasDocument; at: Point } {
  const target = findTask(document, before);
  const at = target?.position ?? START;
  const canMove = (task: Task) => task.position !== undefined && task.position.x >= at.x;
  const following = tasksAfter(document.edges, before).add(before);
  let moved = document.tasks.filter((task) => following.has(task.id) && canMove(task));
  let resting = document.tasks.filter((task) => !moved.includes(task));
  for (let pushed = moved; pushed.length > 0;) {
    const boxes = listTaskBoxes(pushed.map(toRight));
    pushed = resting.filter(
      (task) => canMove(task) && listTaskBoxes([task]).some((box) => boxes.some((each) => isOver(box, each))),
    );
    moved = [...moved, ...pushed];
    resting = resting.filter((task) => !pushed.includes(task));
  }
  const tasks = document.tasks.map((task) => (moved.includes(task) ? toRight(task) : task));
  const next = { ...document, tasks };
  return { document: next, at: freePlace(next, at, heightPx) };
}

/**
 * Makes room below a task whose card is taller than before: the cards that were below it and would touch it now move down, and so
 * do the cards that they would touch.
 */
export function makeRoomBelow(before: CanvasDocument, document: CanvasDocument, id: number): CanvasDocument {
  const boxIn = ({ tasks }: CanvasDocument) => listTaskBoxes(tasks.filter((task) => task.id === id))[0];
  const [old, grown] = [boxIn(before), boxIn(document)];
  if (!old || !grown || grown.height <= old.height) return document;
  const tops = new Map<number, number>();
  const below = document.tasks
    .flatMap((task) => listTaskBoxes(task.id === id ? [] : [task]).map((box) => ({ id: task.id, box })))
    .filter(({ box }) => box.y >= old.y + old.height)
    .sort((a, b) => a.box.y - b.box.y);
  const settled: Box[] = [grown];
  for (const { id: belowId, box } of below) {
    let { y } = box;
    for (;;) {
      const touched = settled.filter((each) => isOver(each, { ...box, y }));
      if (touched.length === 0) break;
      y = Math.max(...touched.map((each) => each.y + each.height + GAP_PX));
    }
    if (y === box.y) continue;
    tops.set(belowId, y);
    settled.push({ ...box, y });
  }
  const tasks = document.tasks.map((task) => {
    const y = tops.get(task.id);
    return y === undefined || !task.position ? task : { ...task, position: { ...task.position, y } };
  });
  return { ...document, tasks };
}

const toRight = (task: Task): Task =>
  task.position ? { ...task, position: { x: task.position.x + STEP_PX, y: task.position.y } } : task;

interface Box extends Point {
  width: number;
  height: number;
}

const listBoxes = ({ tasks, notes }: Pick<CanvasDocument, 'tasks' | 'notes'>): Box[] => [
  ...listTaskBoxes(tasks),
  ...notes.map(({ position }) => ({ ...position, ...NOTE_SIZE_PX })),
];

const listTaskBoxes = (tasks: readonly Task[]): Box[] =>
  tasks.flatMap((task) => (task.position ? [{ ...task.position, ...taskSize(task) }] : []));

/** With the usual margin between cards. */
const isOver = (a: Box, b: Box): boolean =>
  a.x < b.x + b.width + GAP_PX / 2 &&
  b.x < a.x + a.width + GAP_PX / 2 &&
  a.y < b.y + b.height + GAP_PX / 2 &&
  b.y < a.y + a.height + GAP_PX / 2;
