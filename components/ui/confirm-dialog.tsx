'use client';
import { type ReactNode, Suspense } from 'react';
import { DialogTrigger, useOpen } from './dialog-trigger.tsx';
import { onDemand } from './on-demand.tsx';

export interface ConfirmDialogProps {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  trigger?: ReactNode;
  title: string;
  /** What will happen, and whether it can be undone. */
  description: ReactNode;
  /** The verb: "Revoke key", never "OK". */
  confirmLabel: string;
  danger?: boolean;
  /** The dialog closes when this is done; it stays open when it throws. */
  onConfirm: () => Promise<unknown> | void;
}

const ConfirmWindow = onDemand(async () => (await import('./on-demand/confirm-window.tsx')).ConfirmWindow);

/** Asks before something that cannot be undone with one click. */
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
          <ConfirmWindow {...props} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
