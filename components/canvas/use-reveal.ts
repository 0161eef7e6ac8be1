import { useReactFlow } from '@xyflow/react';
import { type RefObject, useEffect } from 'react';
import { findTask } from '#lib/canvas/document.ts';
import { taskSize } from '#lib/canvas/task-size.ts';
import { useEditor, useEditorState } from './editor-context.tsx';
import { taskIdOf } from './node-ids.ts';

const MARGIN_PX = 24;

/** Moves the canvas when the task that was opened or gone to is out of sight. */
export function useReveal(area: RefObject<HTMLElement | null>): void {
  const editor = useEditor();
  const flow = useReactFlow();
  const only = useEditorState(({ selection }) => (selection.size === 1 ? [...selection][0] : undefined));
  const isOpen = useEditorState((state) => state.openTaskId !== undefined);
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
      const palette = area.current?.querySelector('[data-palette]')?.getBoundingClientRect();
      const left = Math.max(box.left, palette?.right ?? 0);
      const start = flow.flowToScreenPosition(position);
      const end = flow.flowToScreenPosition({ x: position.x + width, y: position.y + height });
      const isSeen =
        start.x >= left + MARGIN_PX &&
        end.x <= box.right - MARGIN_PX &&
        start.y >= box.top + MARGIN_PX &&
        end.y <= box.bottom - MARGIN_PX;
      if (isSeen) return;
      const zoom = Math.max(flow.getZoom(), 0.5);
      const x = position.x + width / 2 - (left - box.left) / 2 / zoom;
      void flow.setCenter(x, position.y + height / 2, { zoom, duration: 200 });
    });
    return () => cancelAnimationFrame(frame);
  }, [area, editor, flow, isOpen, only]);
}
