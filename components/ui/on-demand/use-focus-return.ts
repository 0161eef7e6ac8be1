import { useRef } from 'react';
import { keepFocusNear, listPath } from './keep-focus-near.ts';

/**
 * For the content of a dialog: when it closes, the focus returns to the earlier element, or to its surroundings if it was
 * removed: a deleted row, the button of an empty list.
 */
export function useFocusReturn() {
  const before = useRef<readonly HTMLElement[]>([]);
  return {
    onOpenAutoFocus: () => {
      before.current = listPath(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      keepFocusNear(before.current);
    },
  };
}
