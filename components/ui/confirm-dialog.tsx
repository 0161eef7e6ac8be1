'use client';
import { Suspense } from 'react';
import { DialogTrigger, useOpen } from './dialog-trigger.tsx';
import { onDemand } from './on-demand.tsx';
import type { ConfirmDialogProps } from './on-demand/confirm-window.tsx';

const ConfirmWindow = onDemand(async () => (await import('./on-demand/confirm-window.tsx')).ConfirmWindow);

/** Confirms an action that cannot be undone with one click. */
export function ConfirmDialog({ trigger, ...props }: ConfirmDialogProps) {
  const { open, setOpen, wasOpened } = useOpen(props);
  return (
    <>
      {trigger && (
        <DialogTrigger open={open} onOpen={() => setOpen(true)} preload={ConfirmWindow.preload}>
          {trigger}
        </DialogTrigger>
      )}
      {wasOpened && (
        <Suspense>
          <ConfirmWindow {...props} open={open} onOpenChange={setOpen} onDismiss={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
