'use client';
import { useSyncExternalStore } from 'react';

/** Whether the browser has a network; the server may still be unreachable. */
export const useIsOnline = (): boolean =>
  useSyncExternalStore(
    subscribeToNetwork,
    () => navigator.onLine,
    () => true,
  );

function subscribeToNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const WIDE = '(min-width: 64rem)';

const subscribeToWidth = (notify: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', notify);
  return () => query.removeEventListener('change', notify);
};

/** Whether there is room for a list and its detail side by side. */
export const useIsWide = (): boolean =>
  useSyncExternalStore(
    subscribeToWidth,
    () => window.matchMedia(WIDE).matches,
    () => true,
  );

/** The nonce for adding style elements; set by the page's first script (shell/csp-script.tsx). */
export const styleNonce = (): string | undefined =>
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__;
