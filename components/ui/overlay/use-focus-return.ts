import { useRef } from 'react';

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

/** A server response after a dialog has closed may remove its trigger. */
const WATCHED_MS = 5000;

/** An element and its ancestors, innermost first, without the body. */
function listPath(element: Element | null): readonly HTMLElement[] {
  const path: HTMLElement[] = [];
  for (let each = element; each instanceof HTMLElement && each !== document.body; each = each.parentElement)
    path.push(each);
  return path;
}

/**
 * Focuses the first element of a path, and the next existing one when it is removed, now or in the next seconds. Another
 * element that has the focus keeps it.
 */
function keepFocusNear(path: readonly HTMLElement[]): void {
  const [element] = path;
  if (!element || !isFocusFree()) return;
  if (!element.isConnected) return focusRegion(path);
  element.focus();
  const observer = new MutationObserver(() => {
    if (element.isConnected) return;
    stop();
    if (isFocusFree()) focusRegion(path);
  });
  const timer = setTimeout(() => stop(), WATCHED_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
  };
  observer.observe(document.body, { childList: true, subtree: true });
}

const isFocusFree = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

/** From here the Tab key continues. */
function focusRegion(path: readonly HTMLElement[]): void {
  const region = path.find(({ isConnected }) => isConnected);
  if (!region) return;
  if (!region.hasAttribute('tabindex')) {
    region.tabIndex = -1;
    region.style.outline = 'none';
    region.addEventListener('blur', () => region.removeAttribute('tabindex'), { once: true });
  }
  region.focus({ preventScroll: true });
}
