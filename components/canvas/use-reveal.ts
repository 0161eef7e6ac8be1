import { useReactFlow, type Viewport } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { findTask } from '#lib/canvas/document.ts';
import { taskSize } from '#lib/canvas/task-size.ts';
import { useEditor, useEditorState } from './editor-context.tsx';
import { taskIdOf } from './node-ids.ts';

const MARGIN_PX = 24;
const MOVE_MS = 200;

/**
 * Moves the canvas when the task that was opened or gone to is out of sight; when its panel closes, and nobody has moved
 * the canvas meanwhile, it goes back to where it was.
 */
export function useReveal(area: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const flow = useReactFlow();
  const only = useEditorState(({ selection }) => (selection.size === 1 ? [...selection][0] : undefined));
  const isOpen = useEditorState((state) => state.openTaskId !== undefined);
  const moved = useRef<{ from: Viewport; to: Viewport } | null>(null);
  useEffect(() => {
    const { current: last } = moved;
    if (isOpen || !last) return;
    moved.current = null;
    if (isSame(flow.getViewport(), last.to)) void flow.setViewport(last.from, { duration: MOVE_MS });
  }, [flow, isOpen]);
  useEffect(() => {
    const id = only === undefined ? undefined : taskIdOf(only);
    const task = id === undefined ? undefined : findTask(editor.document, id);
    if (!task?.position) return;
    const { position } = task;
    const { width, height } = taskSize(task);
    // The panel beside the canvas takes its width only after this drawing.
    const frame = requestAnimationFrame(() => {
      const box = area.current?.getBoundingClientRect();
      if (!box) return;
      const start = flow.flowToScreenPosition(position);
      const end = flow.flowToScreenPosition({ x: position.x + width, y: position.y + height });
      const isSeen =
        start.x >= box.left + MARGIN_PX &&
        end.x <= box.right - MARGIN_PX &&
        start.y >= box.top + MARGIN_PX &&
        end.y <= box.bottom - MARGIN_PX;
      if (isSeen) return;
      const zoom = Math.max(flow.getZoom(), 0.5);
      const to = {
        x: box.width / 2 - (position.x + width / 2) * zoom,
        y: box.height / 2 - (position.y + height / 2) * zoom,
        zoom,
      };
      if (isOpen) moved.current = { from: moved.current?.from ?? flow.getViewport(), to };
      void flow.setViewport(to, { duration: MOVE_MS });
    });
    return () => cancelAnimationFrame(frame);
  }, [area, editor, flow, isOpen, only]);
}

const isSame = (a: Viewport, b: Viewport): boolean =>
  Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.zoom - b.zoom) < 0.001;
