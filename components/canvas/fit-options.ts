import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { useEditorState } from '#components/editor/editor-context.tsx';
import { type CanvasDocument, findTrigger } from '#lib/editor/canvas/document.ts';
import { NOTE_SIZE_PX, taskSize } from '#lib/editor/canvas/task-size.ts';
import { FIT_OPTIONS } from './flow-parts.tsx';

/** Space for controls at the edges of the canvas. */
const EDGES_PX = { top: 48, right: 64, bottom: 96, left: 48 };
/** Minimum zoom at which names of tasks are readable; phones are held closer. */
const READABLE_ZOOM = { wide: 0.7, narrow: 0.5 };
const MAX_NARROW_PX = 640;

/** The whole workflow, without overlapping the controls. */
export const WHOLE_DRAWING = {
  ...FIT_OPTIONS,
  padding: {
    top: `${EDGES_PX.top}px`,
    right: `${EDGES_PX.right}px`,
    bottom: `${EDGES_PX.bottom}px`,
    left: `${EDGES_PX.left}px`,
  },
} as const;

/** The editor's initial view: the whole workflow, or as much of its beginning as is readable. */
export function firstView(document: CanvasDocument, canvas: { width: number; height: number }) {
  const boxes = [
    ...document.tasks.map((task) => ({ ...(task.position ?? { x: 0, y: 0 }), ...taskSize(task) })),
    ...document.notes.map(({ position }) => ({ ...position, ...NOTE_SIZE_PX })),
  ];
  const x = spanOf(boxes.map((box) => [box.x, box.x + box.width]));
  const y = spanOf(boxes.map((box) => [box.y, box.y + box.height]));
  const room = {
    width: canvas.width - EDGES_PX.left - EDGES_PX.right,
    height: canvas.height - EDGES_PX.top - EDGES_PX.bottom,
  };
  const readable = canvas.width > MAX_NARROW_PX ? READABLE_ZOOM.wide : READABLE_ZOOM.narrow;
  const whole = Math.min(room.width / x.length, room.height / y.length);
  const zoom = Math.min(FIT_OPTIONS.maxZoom, Math.max(readable, whole));
  const start = findTrigger(document)?.position ?? { x: x.from, y: y.from };
  return {
    zoom,
    x: EDGES_PX.left + offsetOf(x, start.x, room.width / zoom, 0) * zoom,
    y: EDGES_PX.top + offsetOf(y, start.y, room.height / zoom, 0.5) * zoom,
  };
}

interface Span {
  from: number;
  length: number;
}

function spanOf(ends: readonly (readonly [number, number])[]): Span {
  const from = Math.min(...ends.map(([first]) => first));
  return { from, length: Math.max(...ends.map(([, last]) => last)) - from };
}

/** Centered; content that is longer than the room starts at its beginning, without empty space at an end. */
function offsetOf({ from, length }: Span, start: number, room: number, part: number): number {
  if (length <= room) return (room - length) / 2 - from;
  const first = Math.max(from, Math.min(start - room * part, from + length - room));
  return -first;
}

const MOVE_MS = 200;

/** Duration of automatic movements of the canvas; none with reduced motion. */
export const moveMs = (): number =>
  window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : MOVE_MS;

/** A run shown below reduces the canvas: its tasks stay visible. */
export function useFitBesideRun(area: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  const isShown = useEditorState((state) => state.draftRun !== undefined);
  useEffect(() => {
    if (!isShown || !area.current) return;
    const observer = new ResizeObserver(() => void flow.fitView(WHOLE_DRAWING));
    observer.observe(area.current);
    return () => observer.disconnect();
  }, [flow, area, isShown]);
}
