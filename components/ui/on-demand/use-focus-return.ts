import { useRef } from 'react';
import { keepFocusNear, listPath } from './keep-focus-near.ts';

/**
 * For the content of a dialog: when it closes, what had the focus before has it again, or what was around it, if it is
 * gone by then: a row that was deleted, the button of an empty list.
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
