'use client';
import { Suspense } from 'react';
import { DialogTrigger, useOpen } from './dialog-trigger.tsx';
import { onDemand } from './on-demand.tsx';
import type { DialogProps } from './on-demand/dialog-window.tsx';

const loadWindow = () => import('./on-demand/dialog-window.tsx');
const DialogWindow = onDemand(async () => (await loadWindow()).DialogWindow);

/** A modal dialog or side panel; Escape and the close button close it, and the focus returns. */
export function Dialog({ trigger, ...props }: DialogProps) {
  const { open, setOpen, wasOpened } = useOpen(props);
  return (
    <>
      {trigger && (
        <DialogTrigger open={open} onOpen={() => setOpen(true)} preload={DialogWindow.preload}>
          {trigger}
        </DialogTrigger>
      )}
      {wasOpened && (
        <Suspense>
          <DialogWindow {...props} open={open} onOpenChange={setOpen} onDismiss={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Wraps a button in a dialog's footer that closes it. */
export const DialogClose = onDemand(async () => (await loadWindow()).DialogWindowClose);
