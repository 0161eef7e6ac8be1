import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useEditor } from '#components/editor/editor-context.tsx';

/** Whether the pointer is pressed on a part of the screen, with the event handlers for it. */
export function usePressed() {
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    if (!isPressed) return;
    // The click event follows the release.
    const release = () => setTimeout(() => setPressed(false));
    window.addEventListener('pointerup', release);
    window.addEventListener('pointercancel', release);
    return () => {
      window.removeEventListener('pointerup', release);
      window.removeEventListener('pointercancel', release);
    };
  }, [isPressed]);
  return { isPressed, onPointerDownCapture: () => setPressed(true) };
}

/** Holds a value while the pointer is pressed: nothing moves under it, so that the click hits its target. */
export function useHeld<Value>(value: Value, isHeld: boolean): Value {
  const [shown, setShown] = useState(value);
  if (!isHeld && shown !== value) setShown(value);
  return isHeld ? shown : value;
}

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
