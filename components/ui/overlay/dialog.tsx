'use client';
import { Slot } from 'radix-ui';
import { type ReactNode, Suspense, useState } from 'react';
import { onDemand } from '#components/ui/on-demand.tsx';
import type { ConfirmDialogProps } from './confirm-window.tsx';
import type { DialogProps } from './dialog-window.tsx';

/** Whether a dialog is open, controlled or not, and whether it ever was: its code is only loaded then. */
function useOpen(owner: { open?: boolean; onOpenChange?: (open: boolean) => void }) {
  const [own, setOwn] = useState(false);
  const open = owner.open ?? own;
  const [wasOpened, setWasOpened] = useState(open);
  if (open && !wasOpened) setWasOpened(true);
  const setOpen = (next: boolean) => {
    setOwn(next);
    owner.onOpenChange?.(next);
  };
  return { open, setOpen, wasOpened };
}

export interface DialogTriggerProps {
  open: boolean;
  onOpen: () => void;
  preload: () => void;
  /** One clickable element. */
  children: ReactNode;
}

/** Opens a dialog; its code is loaded when the pointer or the focus approaches. */
const DialogTrigger = ({ open, onOpen, preload, children }: DialogTriggerProps) => (
  <Slot.Root
    aria-haspopup="dialog"
    aria-expanded={open}
    onPointerEnter={preload}
    onFocus={preload}
    onClick={onOpen}
  >
    {children}
  </Slot.Root>
);

const loadWindow = () => import('./dialog-window.tsx');
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

const ConfirmWindow = onDemand(async () => (await import('./confirm-window.tsx')).ConfirmWindow);

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
