import { useEffect, useState } from 'react';

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
