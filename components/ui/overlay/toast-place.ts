/** CSS property, set by a part at the right edge of the screen, that offsets toasts. */
export const TOAST_RIGHT = '--toast-right';
