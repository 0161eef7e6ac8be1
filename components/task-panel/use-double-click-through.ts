import { type MouseEvent, useRef } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';

const DOUBLE_CLICK_MS = 500;

/**
 * The first click of a double click on a card opens its panel, possibly over the card: the second click still applies to the
 * card (renaming) and changes nothing in the panel.
 */
export function useDoubleClickThrough(taskId: number) {
  const editor = useEditor();
  const openedAt = useRef(performance.now());
  const isSecondClick = ({ detail }: MouseEvent) =>
    detail > 1 && performance.now() - openedAt.current < DOUBLE_CLICK_MS;
  return {
    onMouseDownCapture: (event: MouseEvent) => {
      if (!isSecondClick(event)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    onClickCapture: (event: MouseEvent) => {
      if (!isSecondClick(event)) return;
      event.preventDefault();
      event.stopPropagation();
      if (editor.canEdit) editor.store.set({ renamingId: taskId });
    },
  };
}
