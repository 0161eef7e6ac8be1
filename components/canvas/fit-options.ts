import type { CanvasDocument } from '#lib/canvas/document.ts';
import { TASK_WIDTH_PX } from '#lib/canvas/task-size.ts';
import { FIT_OPTIONS } from './flow-parts.ts';
import { taskNodeId } from './node-ids.ts';

/** Narrower canvases have no list of tasks over their left edge (`@2xl` in task-palette.tsx). */
const MIN_WIDTH_WITH_PALETTE_PX = 672;
const BESIDE_PALETTE = { top: '48px', right: '64px', bottom: '96px', left: '264px' } as const;
const BESIDE_PALETTE_PX = 328;
/** Names of tasks can be read from here on; phones are held closer. */
const READABLE_ZOOM = { wide: 0.7, narrow: 0.5 };

/** The whole drawing, in what the list of tasks leaves of a canvas so wide. */
export const wholeDrawing = (widthPx: number) => ({
  ...FIT_OPTIONS,
  padding: widthPx < MIN_WIDTH_WITH_PALETTE_PX ? FIT_OPTIONS.padding : BESIDE_PALETTE,
});

/** What the editor shows at first: the whole drawing, or as much of its beginning as can be read. */
export function firstView(document: CanvasDocument, widthPx: number) {
  const whole = wholeDrawing(widthPx);
  const readable =
    widthPx < MIN_WIDTH_WITH_PALETTE_PX
      ? (widthPx * (1 - FIT_OPTIONS.padding)) / READABLE_ZOOM.narrow
      : (widthPx - BESIDE_PALETTE_PX) / READABLE_ZOOM.wide;
  const left = Math.min(...document.tasks.map(({ position }) => position?.x ?? 0));
  const first = document.tasks.filter(
    ({ position }) => (position?.x ?? 0) + TASK_WIDTH_PX - left <= readable,
  );
  return first.length === 0 ? whole : { ...whole, nodes: first.map(({ id }) => ({ id: taskNodeId(id) })) };
}
