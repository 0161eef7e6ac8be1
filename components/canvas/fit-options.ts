import type { CanvasDocument } from '#lib/editor/canvas/document.ts';
import { TASK_WIDTH_PX } from '#lib/editor/canvas/task-size.ts';
import { FIT_OPTIONS } from './flow-parts.ts';
import { taskNodeId } from '#components/editor/node-ids.ts';

const SIDES_PX = 48 + 64;
/** Names of tasks can be read from here on; phones are held closer. */
const READABLE_ZOOM = { wide: 0.7, narrow: 0.5 };
const MAX_NARROW_PX = 640;

/** The whole workflow, clear of what stands at the edges of the canvas. */
export const WHOLE_DRAWING = {
  ...FIT_OPTIONS,
  padding: { top: '48px', right: '64px', bottom: '96px', left: '48px' },
} as const;

/** What the editor shows at first: the whole workflow, or as much of its beginning as can be read. */
export function firstView({ tasks }: CanvasDocument, canvasWidthPx: number) {
  const zoom = canvasWidthPx > MAX_NARROW_PX ? READABLE_ZOOM.wide : READABLE_ZOOM.narrow;
  const readable = (canvasWidthPx - SIDES_PX) / zoom;
  const left = Math.min(...tasks.map(({ position }) => position?.x ?? 0));
  const first = tasks.filter(({ position }) => (position?.x ?? 0) + TASK_WIDTH_PX - left <= readable);
  return first.length === 0
    ? WHOLE_DRAWING
    : { ...WHOLE_DRAWING, nodes: first.map(({ id }) => ({ id: taskNodeId(id) })) };
}
