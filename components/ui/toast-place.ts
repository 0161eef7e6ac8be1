/** The property of the page that a part at the right edge of the screen sets, so that toasts stand beside it. */
export const TOAST_RIGHT = '--toast-right';
