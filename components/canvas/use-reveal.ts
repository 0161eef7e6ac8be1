import { type ReactFlowInstance, useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import { type CanvasDocument, findTask } from '#lib/editor/canvas/document.ts';
import { NOTE_SIZE_PX, taskSize } from '#lib/editor/canvas/task-size.ts';
import { useEditor, useEditorState } from '#components/editor/editor-context.tsx';
import { moveMs } from './fit-options.ts';
import { noteNodeId, taskIdOf, taskNodeId } from '#components/editor/node-ids.ts';

const MARGIN_PX = 24;
const MIN_ZOOM_TO_SHOW = 0.5;
/** Nothing moves during this time after a press, so that the second press of a double click (renaming) hits the same task. */
const SECOND_PRESS_MS = 300;

/**
 * Moves the canvas when the opened or selected task, or pasted items, are out of view. When the panel closes the canvas
 * returns, unless the user has moved it since or the task would be out of view there. `data-moving` is set while it moves, or
 * is about to.
 * @returns a check to call when the canvas has its first view
 */
export function useReveal(area: RefObject<HTMLElement | null>): () => Promise<boolean> | undefined {
  const editor = useEditor();
  const flow = useReactFlow();
  const only = useEditorState(({ selection }) => (selection.size === 1 ? [...selection][0] : undefined));
  const shownCount = useRef(0);
  const isOpen = useEditorState((state) => state.openTaskId !== undefined);
  const revealCount = useEditorState((state) => state.revealCount);
  /** In coordinates of the window, because the list of tasks beside the canvas opens and closes. */
  const moved = useRef<{ from: Viewport; to: Viewport } | null>(null);
  const reveal = useCallback(() => {
    const canvas = area.current?.getBoundingClientRect();
    const { selection, revealCount: asked } = editor.state;
    const isAsked = asked !== shownCount.current;
    shownCount.current = asked;
    // Items that the user selected are visible already.
    const box = only === undefined && !isAsked ? undefined : boxAround(editor.document, selection);
    if (!canvas || !box) return undefined;
    const now = flow.getViewport();
    const back =
      moved.current && isSame(now, shift(moved.current.to, -canvas.left))
        ? shift(moved.current.from, -canvas.left)
        : now;
    if (!isOpen) moved.current = null;
    const wanted = !isOpen && isSeen(box, back, canvas) ? back : now;
    const next = isSeen(box, wanted, canvas)
      ? wanted
      : centred(withParent(editor.document, only, box, canvas), now.zoom, canvas);
    if (isSame(next, now)) return undefined;
    if (isOpen) moved.current = { from: shift(back, canvas.left), to: shift(next, canvas.left) };
    void flow.setViewport(next, { duration: moveMs() });
    return untilStill(flow, next);
  }, [area, editor, flow, isOpen, only]);
  const pressedAt = usePressedAt(area);
  useEffect(() => {
    const canvas = area.current;
    if (!canvas) return;
    canvas.dataset['moving'] = '';
    let isReplaced = false;
    const rest = () => {
      if (!isReplaced) delete canvas.dataset['moving'];
    };
    // The panel beside the canvas changes its width only after this render.
    let frame = 0;
    const wait = setTimeout(
      () => {
        frame = requestAnimationFrame(() => void Promise.resolve(reveal()).finally(rest));
      },
      Math.max(0, pressedAt.current + SECOND_PRESS_MS - performance.now()),
    );
    return () => {
      clearTimeout(wait);
      cancelAnimationFrame(frame);
      rest();
      isReplaced = true;
    };
  }, [area, pressedAt, reveal, revealCount]);
  return reveal;
}

/** Frames in which a movement has begun. */
const START_FRAMES = 10;

/** Waits until the canvas has reached a view, or stays elsewhere: a movement that another one interrupts never ends its promise. */
export async function untilStill(
  flow: Pick<ReactFlowInstance, 'getViewport'>,
  to: Viewport,
): Promise<boolean> {
  let last = flow.getViewport();
  for (let still = 0; still < START_FRAMES && !isSame(last, to);) {
    await new Promise(requestAnimationFrame);
    const now = flow.getViewport();
    still = now.x === last.x && now.y === last.y && now.zoom === last.zoom ? still + 1 : 0;
    last = now;
  }
  return isSame(last, to);
}

/** Time of the last press on the canvas, by the page's clock. */
function usePressedAt(area: RefObject<HTMLElement | null>): RefObject<number> {
  const pressedAt = useRef(-Infinity);
  useEffect(() => {
    const canvas = area.current;
    const onPress = () => void (pressedAt.current = performance.now());
    canvas?.addEventListener('pointerdown', onPress, true);
    return () => canvas?.removeEventListener('pointerdown', onPress, true);
  }, [area]);
  return pressedAt;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}
type Size = Pick<Box, 'width' | 'height'>;

const isSeen = ({ x, y, width, height }: Box, { zoom, ...view }: Viewport, canvas: Size): boolean =>
  x * zoom + view.x >= MARGIN_PX &&
  y * zoom + view.y >= MARGIN_PX &&
  (x + width) * zoom + view.x <= canvas.width - MARGIN_PX &&
  (y + height) * zoom + view.y <= canvas.height - MARGIN_PX;

/** Position of a task or note. */
function boxOf(document: CanvasDocument, nodeId: string): Box | undefined {
  const id = taskIdOf(nodeId);
  if (id === undefined) {
    const note = document.notes.find((each) => noteNodeId(each.id) === nodeId);
    return note && { ...note.position, ...NOTE_SIZE_PX };
  }
  const task = findTask(document, id);
  return task?.position && { ...task.position, ...taskSize(task) };
}

/** Bounding box of all of them. */
function boxAround(document: CanvasDocument, nodeIds: ReadonlySet<string>): Box | undefined {
  const boxes = [...nodeIds].flatMap((id) => boxOf(document, id) ?? []);
  if (boxes.length === 0) return undefined;
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const width = Math.max(...boxes.map((box) => box.x + box.width)) - x;
  return { x, y, width, height: Math.max(...boxes.map((box) => box.y + box.height)) - y };
}

/** A task with its parent, where both are readable together, so that a new task is seen in context. */
function withParent(document: CanvasDocument, nodeId: string | undefined, box: Box, canvas: Size): Box {
  const id = nodeId === undefined ? undefined : taskIdOf(nodeId);
  const parentId = document.edges.find(({ to }) => to === id)?.from;
  const parent = parentId === undefined ? undefined : boxOf(document, taskNodeId(parentId));
  if (!parent) return box;
  const x = Math.min(box.x, parent.x);
  const y = Math.min(box.y, parent.y);
  const width = Math.max(box.x + box.width, parent.x + parent.width) - x;
  const height = Math.max(box.y + box.height, parent.y + parent.height) - y;
  const fits = (lengthPx: number, roomPx: number) => lengthPx * MIN_ZOOM_TO_SHOW <= roomPx - 2 * MARGIN_PX;
  return fits(width, canvas.width) && fits(height, canvas.height) ? { x, y, width, height } : box;
}

function centred({ x, y, width, height }: Box, currentZoom: number, canvas: Size): Viewport {
  const zoom = Math.max(MIN_ZOOM_TO_SHOW, Math.min(currentZoom, (canvas.width - 2 * MARGIN_PX) / width));
  return {
    x: canvas.width / 2 - (x + width / 2) * zoom,
    y: canvas.height / 2 - (y + height / 2) * zoom,
    zoom,
  };
}

const shift = (view: Viewport, byPx: number): Viewport => ({ ...view, x: view.x + byPx });

const isSame = (a: Viewport, b: Viewport): boolean =>
  Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.001;
