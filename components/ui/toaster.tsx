'use client';
import { Suspense, useSyncExternalStore } from 'react';
import type { ExternalToast, toast as sonner } from 'sonner';
import { RetryQuietly } from './missing-part.tsx';
import { onDemand } from './on-demand.tsx';

const Toasts = onDemand(async () => (await import('./on-demand/toasts.tsx')).Toasts, RetryQuietly);

let isWanted = false;
const listeners = new Set<() => void>();
const ready = Promise.withResolvers<typeof sonner>();

/** The first toast loads the code for toasts; further ones wait for it. */
function give(show: (toast: typeof sonner) => void): void {
  isWanted = true;
  for (const listener of listeners) listener();
  void ready.promise.then(show);
}

/** Shows a temporary message: `toast.success('Saved')`, `toast('…', { action })`. */
export const toast = Object.assign(
  (message: string, options?: ExternalToast) => give((real) => real(message, options)),
  {
    success: (message: string, options?: ExternalToast) => give((real) => real.success(message, options)),
    error: (message: string, options?: ExternalToast) => give((real) => real.error(message, options)),
  },
);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Renders toasts; used once in the app. */
export function Toaster() {
  const wanted = useSyncExternalStore(
    subscribe,
    () => isWanted,
    () => false,
  );
  return <Suspense>{wanted && <Toasts onReady={ready.resolve} />}</Suspense>;
}
