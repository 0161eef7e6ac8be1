'use client';
import { Suspense, useSyncExternalStore } from 'react';
import type { ExternalToast, toast as sonner } from 'sonner';
import { RetryQuietly } from '#components/ui/missing-part.tsx';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { ActionError } from '#lib/identity/auth/action-types.ts';

const Toasts = onDemand(async () => (await import('./toasts.tsx')).Toasts, RetryQuietly);

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

const MAX_SHOWN = 3;

/** Shows an error, with its first problems by path. */
export function showActionError({ message, problems }: ActionError): void {
  const shown = problems.filter((problem) => problem.message !== message).slice(0, MAX_SHOWN);
  const description = shown.map((problem) =>
    problem.path ? `${problem.path}: ${problem.message}` : problem.message,
  );
  toast.error(message, description.length > 0 ? { description: description.join('\n') } : undefined);
}
