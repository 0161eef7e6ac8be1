import { useEffect, useState } from 'react';

/** Whether the mouse or a finger is pressed on a part of the screen, and what that part has to listen with. */
export function usePressed() {
  const [isPressed, setPressed] = useState(false);
  useEffect(() => {
    if (!isPressed) return;
    // The click follows the release.
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

/** A value that waits while it is held: what it would move stays under the pointer, so that the click arrives. */
export function useHeld<Value>(value: Value, isHeld: boolean): Value {
  const [shown, setShown] = useState(value);
  if (!isHeld && shown !== value) setShown(value);
  return isHeld ? shown : value;
}
