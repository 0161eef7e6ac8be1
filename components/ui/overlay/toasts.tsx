'use client';
import { useEffect } from 'react';
import { toast as sonner, Toaster as Sonner } from 'sonner';
import { TOAST_RIGHT } from './toast-place.ts';

/** Renders toasts; `onReady` is called once they can be shown. */
export function Toasts({ onReady }: { onReady: (toast: typeof sonner) => void }) {
  useEffect(() => onReady(sonner), [onReady]);
  return (
    <Sonner
      position="bottom-right"
      // Beside a panel at the right; on phones above the bottom bar.
      offset={{ bottom: 24, right: `var(${TOAST_RIGHT}, 24px)` }}
      mobileOffset={{ bottom: 4, left: 8, right: 8 }}
      gap={8}
      toastOptions={{
        unstyled: true,
        duration: 6000,
        classNames: {
          toast:
            'flex w-(--width) items-center gap-3 rounded-lg border border-line bg-raised px-4 py-3 text-base text-ink shadow-overlay',
          content: 'min-w-0 flex-1',
          title: 'font-medium',
          description: 'text-sm text-muted',
          actionButton: 'rounded-md px-2.5 py-1 text-sm font-semibold text-accent hover:bg-accent-soft',
          error: '[&_[data-icon]]:text-danger',
          success: '[&_[data-icon]]:text-success',
          warning: '[&_[data-icon]]:text-warning',
        },
      }}
    />
  );
}
